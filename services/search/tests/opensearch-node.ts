import { isInstalled } from '@cadastre/service/testing';
import { assemble } from '../../../scripts/opensearch/assemble.mjs';
import { startServer } from '../../../scripts/opensearch/server.mjs';

export interface OpenSearchNode {
  readonly url: string;
  stop(): Promise<void>;
}

/** What a node of our own needs and this machine lacks. */
export function missingForOpenSearch(): string[] {
  return ['java', 'mvn', 'setpriv'].filter((program) => !isInstalled(program));
}

/** The cluster for the tests: the one of CADASTRE_TEST_OPENSEARCH_URL, else a node of our own. */
export async function startOpenSearch(): Promise<OpenSearchNode> {
  const existing = process.env.CADASTRE_TEST_OPENSEARCH_URL;
  if (existing) return { url: existing, stop: async () => {} };
  return startServer(await assemble());
}
