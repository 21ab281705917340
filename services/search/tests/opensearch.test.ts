import { randomUUID } from 'node:crypto';
import { isSkipped } from '@cadastre/service/testing';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { missingPrograms } from '../../../scripts/opensearch/server.mjs';
import type { SearchIndex } from '../src/index-port.js';
import { createOpenSearchIndex } from '../src/opensearch/opensearch-index.js';
import { switchContract } from './adapter-switch.js';
import { indexContract } from './index-contract.js';
import { crowdedContract } from './opensearch-crowded.js';
import { failureContract } from './opensearch-failures.js';
import { type OpenSearchNode, startOpenSearch } from './opensearch-node.js';
import { type RecordedRequests, recordRequests } from './opensearch-requests.js';

const missing = process.env.CADASTRE_TEST_OPENSEARCH_URL ? [] : missingPrograms();
/** The first time, Maven fetches the node. */
const fetchTimeoutMs = 300_000;

describe.skipIf(isSkipped('the OpenSearch adapter', missing))('the OpenSearch adapter', () => {
  const prefix = `test-${randomUUID()}`;
  let node: OpenSearchNode;
  let index: SearchIndex;
  let requests: RecordedRequests;
  beforeAll(async () => {
    node = await startOpenSearch();
    requests = recordRequests(node.url);
  }, fetchTimeoutMs);
  afterAll(async () => {
    requests?.stop();
    await node?.stop();
  });

  indexContract(async () => {
    index = createOpenSearchIndex({ url: node.url, prefix });
    const close = async () => {
      await fetch(`${node.url}/${prefix}.*`, { method: 'DELETE' });
    };
    return { index, close };
  });
  describe('crowded hierarchy', () => crowdedContract(() => index));
  describe('failures', () => failureContract(() => node.url));
  describe('switch of the adapter', () => switchContract(() => node.url));

  test('sends the kinds of requests whose permissions are tested', () => requests.expectAll());
});
