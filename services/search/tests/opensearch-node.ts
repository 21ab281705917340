import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { isInstalled } from '@cadastre/service/testing';

const start = fileURLToPath(new URL('../../../scripts/opensearch/start.mjs', import.meta.url));

export interface OpenSearchNode {
  readonly url: string;
  stop(): Promise<void>;
}

/**
 * The cluster for the tests: the one of CADASTRE_TEST_OPENSEARCH_URL, else a node of our own, which needs java 17 and
 * mvn.
 */
export async function startOpenSearch(): Promise<OpenSearchNode> {
  const existing = process.env.CADASTRE_TEST_OPENSEARCH_URL;
  if (existing) return { url: existing, stop: async () => {} };
  return launch();
}

/** Whether `startOpenSearch` has something to start. */
export function hasOpenSearch(): boolean {
  return Boolean(process.env.CADASTRE_TEST_OPENSEARCH_URL) || ['java', 'mvn', 'setpriv'].every(isInstalled);
}

async function launch(): Promise<OpenSearchNode> {
  const child = spawn(process.execPath, [start], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, CADASTRE_PARENT_PIPE: '1', NODE_OPTIONS: '' },
  });
  const url = await firstLine(child);
  return {
    url,
    async stop() {
      child.stdin!.end();
      if (child.exitCode === null) await once(child, 'exit');
    },
  };
}

function firstLine(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    child.stdout!.once('data', (chunk: Buffer) => resolve(chunk.toString().trim()));
    child.once('exit', () => reject(new Error('the OpenSearch node did not start')));
  });
}
