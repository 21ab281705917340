import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { get as httpGet, type IncomingMessage } from 'node:http';
import { get as httpsGet } from 'node:https';
import { buffer } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import type { BareServerOrder, BareServerPorts, Recording } from './bare-server.ts';
import type { Server } from './sides.ts';
import type { TestedSystem } from './tested-system.ts';

const program = fileURLToPath(new URL('bare-server.ts', import.meta.url));
/** Every server generates these itself. */
const connectionHeaders = new Set(['connection', 'content-length', 'date', 'keep-alive', 'transfer-encoding']);

/** The other server of a comparison, in its own process. */
export interface BareFastify extends Server {
  stop(): Promise<void>;
}

/**
 * Starts Fastify with recordings of the system's responses to these paths, including headers, and with its certificate.
 * It gives the response to the last path for all other paths.
 *
 * @param transport What the responses are recorded over: some files are served over HTTPS only.
 */
export async function startBareFastify(
  system: TestedSystem,
  paths: readonly string[],
  transport: 'http' | 'https' = 'http',
): Promise<BareFastify> {
  const certificate = await readFile(system.addresses.certificate, 'utf8');
  const recordings: Recording[] = [];
  for (const path of paths) {
    recordings.push(await record(new URL(path, system.addresses[transport]), certificate));
  }
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

async function record(url: URL, certificate: string): Promise<Recording> {
  const options = { headers: { 'accept-encoding': 'identity' } };
  const request = url.protocol === 'https:' ? httpsGet(url, { ...options, ca: certificate }) : httpGet(url, options);
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  const entries = Object.entries(response.headers).filter(([name]) => !connectionHeaders.has(name));
  const headers = Object.fromEntries(entries.map(([name, value]) => [name, String(value)]));
  const path = url.pathname + url.search;
  return { path, status: response.statusCode ?? 0, headers, body: new Uint8Array(await buffer(response)) };
}
