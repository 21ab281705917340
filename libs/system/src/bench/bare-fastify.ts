import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { BareServerOrder, BareServerPorts, Recording } from './bare-server.js';
import type { Server } from './sides.js';
import type { TestedSystem } from './tested-system.js';

const program = fileURLToPath(new URL('bare-server.js', import.meta.url));
/** Every server generates these itself. */
const connectionHeaders = new Set(['connection', 'content-length', 'date', 'keep-alive', 'transfer-encoding']);

/** The other server of a comparison, in its own process. */
export interface BareFastify extends Server {
  stop(): Promise<void>;
}

/**
 * Starts Fastify with recordings of the system's responses to these paths, including headers, and with its certificate.
 * It gives the response to the last path for all other paths.
 */
export async function startBareFastify(system: TestedSystem, paths: readonly string[]): Promise<BareFastify> {
  const recordings: Recording[] = [];
  for (const path of paths) {
    recordings.push(await record(system.addresses.http, path));
  }
  const certificate = await readFile(system.addresses.certificate, 'utf8');
  const key = await readFile(system.privateKeyFile, 'utf8');
  const child = fork(program, { serialization: 'advanced' });
  child.send({ recordings, key, certificate } satisfies BareServerOrder);
  const [ports] = (await once(child, 'message')) as [BareServerPorts];
  return {
    roots: [child.pid!],
    http: new URL(`http://127.0.0.1:${ports.http}`),
    https: new URL(`https://127.0.0.1:${ports.https}`),
    certificate,
    stop: async () => {
      const ended = once(child, 'exit');
      child.disconnect();
      await ended;
    },
  };
}

async function record(base: string, path: string): Promise<Recording> {
  const response = await fetch(new URL(path, base), { headers: { 'accept-encoding': 'identity' } });
  const headers = Object.fromEntries([...response.headers].filter(([name]) => !connectionHeaders.has(name)));
  return { path, status: response.status, headers, body: new Uint8Array(await response.arrayBuffer()) };
}
