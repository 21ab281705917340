import { randomUUID } from 'node:crypto';
import { describe } from 'vitest';
import { createOpenSearchIndex } from '../src/opensearch/opensearch-index.js';
import { indexContract } from './index-contract.js';
import { hasOpenSearch, startOpenSearch } from './opensearch-node.js';

const isMissing = !hasOpenSearch();
if (isMissing && process.env.CI !== 'true') {
  console.warn('SKIPPED: the OpenSearch adapter is not tested: no CADASTRE_TEST_OPENSEARCH_URL, and no java with mvn.');
}

describe.skipIf(isMissing && process.env.CI !== 'true')('the OpenSearch adapter', () => {
  indexContract(async () => {
    const node = await startOpenSearch();
    const index = createOpenSearchIndex({ url: node.url, prefix: `test-${randomUUID()}` });
    return { index, close: () => node.stop() };
  });
});
