import { assemble } from '../../../scripts/opensearch/assemble.mjs';
import { startServer } from '../../../scripts/opensearch/server.mjs';

export interface OpenSearchNode {
  readonly url: string;
  stop(): Promise<void>;
}

/** The cluster for the tests: the one of CADASTRE_TEST_OPENSEARCH_URL, else a node of our own. */
export async function startOpenSearch(): Promise<OpenSearchNode> {
  const existing = process.env.CADASTRE_TEST_OPENSEARCH_URL;
  if (existing) return { url: existing, stop: async () => {} };
  return startServer(await assemble());
}
