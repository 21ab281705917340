import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readSettings } from '@cadastre/service';
import { isSkipped, testLogger } from '@cadastre/service/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { assemble, assembleSecurity } from '../../../scripts/opensearch/assemble.mjs';
import { missingPrograms, type OpenSearchServer, startServer } from '../../../scripts/opensearch/server.mjs';
import { chooseIndex } from '../src/choose-index.js';
import type { SearchIndex } from '../src/index-port.js';
import { searchSettings } from '../src/settings.js';
import { indexContract } from './index-contract.js';
import { type RecordedRequests, recordRequests } from './opensearch-requests.js';

const checkout = fileURLToPath(new URL('../../../', import.meta.url));
const configuration = join(checkout, 'deploy/compose/opensearch');

describe.skipIf(isSkipped('OpenSearch with security', missingPrograms()))('the OpenSearch of compose.yaml', () => {
  const secrets = mkdtempSync(join(tmpdir(), 'cadastre-opensearch-secrets-'));
  const certificate = (name: string) => join(secrets, 'tls', name);
  let node: OpenSearchServer;

  /** The adapter with these settings; each setting may be replaced. */
  function indexOf(settings: Record<string, string | undefined> = {}): Promise<SearchIndex> {
    const environment = {
      CADASTRE_ENVIRONMENT: 'test',
      CADASTRE_OBJECTS_ADDRESS: '127.0.0.1:9',
      CADASTRE_GEO_ADDRESS: '127.0.0.1:9',
      CADASTRE_SEARCH_ADAPTER: 'opensearch',
      CADASTRE_SEARCH_OPENSEARCH_URL: node.url,
      CADASTRE_STORE_CA_FILE: certificate('authority.crt'),
      CADASTRE_SEARCH_OPENSEARCH_CERT_FILE: certificate('search.crt'),
      CADASTRE_SEARCH_OPENSEARCH_KEY_FILE: certificate('search.key'),
      ...settings,
    };
    return chooseIndex(readSettings(searchSettings, environment), testLogger());
  }

  beforeAll(async () => {
    execFileSync(join(checkout, 'deploy/compose/secrets.sh'), { env: { ...process.env, CADASTRE_SECRETS: secrets } });
    const files = ['opensearch.crt', 'opensearch.key', 'authority.crt'];
    node = await startServer(await assemble(), {
      settings: { ...parse(readFileSync(join(configuration, 'opensearch.yml'), 'utf8')), 'network.host': '127.0.0.1' },
      files: {
        'opensearch-security': join(configuration, 'security'),
        ...Object.fromEntries(files.map((name) => [`certificates/${name}`, certificate(name)])),
      },
      plugins: [await assembleSecurity()],
    });
  }, 300_000);

  afterAll(async () => {
    await node?.stop();
    rmSync(secrets, { recursive: true, force: true });
  });

  /** The response of the cluster to a request of the adapter. */
  async function outcome(request: (index: SearchIndex) => Promise<unknown>, settings = {}): Promise<string> {
    const index = await indexOf(settings);
    try {
      await request(index);
      return 'accepted';
    } catch (error) {
      return `${(error as Error).message} ${(error as Error).cause ?? ''}`;
    } finally {
      await index.stop();
    }
  }

  test('accepts the certificate of search', async () => {
    await expect.poll(() => outcome((index) => index.check())).toBe('accepted');
  });

  test.each<[string, Record<string, string | undefined>, RegExp]>([
    [
      'no certificate',
      { CADASTRE_SEARCH_OPENSEARCH_CERT_FILE: undefined, CADASTRE_SEARCH_OPENSEARCH_KEY_FILE: undefined },
      /not available.*(certificate|alert|socket|ECONNRESET)/i,
    ],
    [
      'the certificate of another service',
      {
        CADASTRE_SEARCH_OPENSEARCH_CERT_FILE: certificate('events.crt'),
        CADASTRE_SEARCH_OPENSEARCH_KEY_FILE: certificate('events.key'),
      },
      /security_exception.*no permissions.*name=events/,
    ],
    ['indexes of another prefix', { CADASTRE_SEARCH_OPENSEARCH_PREFIX: 'other' }, /no permissions/],
    ['another CA', { CADASTRE_STORE_CA_FILE: undefined }, /unable to (verify|get)|self.signed/],
  ])('refuses %s', async (_, settings, said) => {
    expect(await outcome((index) => index.beginRebuild('TEST', { serial: 0n }), settings)).toMatch(said);
  });

  // Permissions depend on the kinds of requests, not on what they find: runs the parts of the contract that send all
  // kinds.
  describe('grants the service what it needs', () => {
    let requests: RecordedRequests;
    beforeAll(() => {
      requests = recordRequests(node.url);
    });
    afterAll(() => requests.stop());

    indexContract(async () => {
      const index = await indexOf();
      return { index, close: async () => {} };
    }, ['words', 'suggestions', 'changes', 'rebuild']);

    test('for every kind of request', () => requests.expectAll());
  });
});
