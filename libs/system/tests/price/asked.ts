import { once } from 'node:events';
import https from 'node:https';
import { connect as connectTcp } from 'node:net';
import { MirrorServiceService } from '@cadastre/proto/mirror';
import { connect, createMetrics, type RpcClient, ServiceError } from '@cadastre/service';
import type { RunningSystem } from '../harness/run-system.js';
import { loadBalancer, proxyHeader } from '../hostile/load-balancer.js';
import type { Received } from './send.js';

/** A request by another interface than REST. Its answer has the status that REST would return for the same request. */
export interface Requested {
  /** The interface, and what the request is for. */
  readonly name: string;
  ask(system: RunningSystem): Promise<Received>;
}

/** Sends a line to port 43, on a connection of its own, and reads the whole answer. */
export function whoisLine(line: string): Requested {
  return whoisBytes(line, `${line}\n`);
}

/**
 * Sends these bytes to port 43 in one piece, on a connection of its own, and reads all answers. `name` describes the
 * bytes.
 */
export function whoisBytes(name: string, bytes: string | Buffer, client?: string): Requested {
  return {
    name: `port 43: ${name.slice(0, 100)}`,
    async ask(system) {
      const answer = await whoisAnswer(system, bytes, client);
      return { status: statusOf(answer), bytes: answer.length };
    },
  };
}

/**
 * The answer of port 43 to these bytes, until it closes the connection; in latin-1. `client`: behind the load balancer.
 */
export async function whoisAnswer(
  { whois }: Pick<RunningSystem, 'whois'>,
  bytes: string | Buffer,
  client?: string,
): Promise<string> {
  const { hostname: host, port } = new URL(`tcp://${whois}`);
  const from = client === undefined ? {} : { host: '127.0.0.1', localAddress: loadBalancer };
  const socket = connectTcp({ host, port: Number(port), ...from });
  if (client !== undefined) socket.write(proxyHeader(client, port));
  const chunks: Buffer[] = [];
  // A connection that the service resets is closed as well.
  socket.on('error', () => {}).on('data', (chunk) => chunks.push(chunk));
  socket.write(bytes);
  // A client that continues to read: otherwise one with "-k" or "!!" would hold the connection open.
  if (staysOpen(bytes)) socket.end();
  await once(socket, 'close');
  return Buffer.concat(chunks).toString('latin1');
}

/** NRTM ends a stream when the client closes its side; all others answer everything before. */
function staysOpen(bytes: string | Buffer): boolean {
  return !/^-.*-g /.test(bytes.toString('latin1')) && !bytes.toString('latin1').startsWith('-g');
}

function statusOf(answer: string): number {
  if (/^%ERROR:/m.test(answer) || /^[DF]( |$)/m.test(answer)) return 400;
  return answer === '' ? 0 : 200;
}

/** Follows changes by an event stream until it has this many bytes, for three seconds at most. */
export function followed(path: string, enoughBytes: number): Requested {
  return {
    name: `stream: ${path.slice(0, 100)}`,
    ask: ({ https: url, certificateText: ca }) =>
      new Promise((resolve, reject) => {
        let bytes = 0;
        const request = https.get(new URL(path, url), { ca, agent: false }, (response) => {
          const end = () => {
            clearTimeout(late);
            request.destroy();
            resolve({ status: response.statusCode ?? 0, bytes });
          };
          const late = setTimeout(end, 3_000);
          response.on('error', () => {}).on('end', end);
          response.on('data', (chunk: Buffer) => {
            bytes += chunk.length;
            if (bytes >= enoughBytes) end();
          });
        });
        request.on('error', reject);
      }),
  };
}

const refusals = ['exhausted', 'invalid', 'not-found'];

/** Calls the mirror service. */
export function mirrorCall(
  name: string,
  call: (mirror: RpcClient<typeof MirrorServiceService>) => Promise<unknown>,
): Requested {
  return {
    name: `gRPC: ${name}`,
    async ask({ mirror }) {
      const around = { name: 'price', deadlineMs: 30_000, metrics: createMetrics('price') };
      const client = connect(MirrorServiceService, { address: mirror!, ...around });
      try {
        await call(client);
        return { status: 200, bytes: 0 };
      } catch (error) {
        if (error instanceof ServiceError && refusals.includes(error.kind)) return { status: 400, bytes: 0 };
        if (error instanceof ServiceError && error.kind === 'unavailable') return { status: 503, bytes: 0 };
        throw error;
      } finally {
        client.close();
      }
    },
  };
}
