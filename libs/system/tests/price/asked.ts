import { once } from 'node:events';
import { connect as connectTcp } from 'node:net';
import { MirrorServiceService } from '@cadastre/proto/mirror';
import { connect, createMetrics, type RpcClient, ServiceError } from '@cadastre/service';
import type { RunningSystem } from '../harness/run-system.js';
import type { Received } from './send.js';

/** A request by another way than REST. Its answer has the status that REST would have for the same. */
export interface Asked {
  /** The way, and what is asked. */
  readonly name: string;
  ask(system: RunningSystem): Promise<Received>;
}

/** Sends a line to port 43, on a connection of its own, and reads the whole answer. */
export function whoisLine(line: string): Asked {
  return {
    name: `port 43: ${line.slice(0, 100)}`,
    async ask({ whois }) {
      const { hostname: host, port } = new URL(`tcp://${whois}`);
      const socket = connectTcp({ host, port: Number(port) });
      const chunks: Buffer[] = [];
      socket.on('data', (chunk) => chunks.push(chunk)).write(`${line}\n`);
      await once(socket, 'close');
      const answer = Buffer.concat(chunks).toString('latin1');
      return { status: statusOf(answer), bytes: answer.length };
    },
  };
}

function statusOf(answer: string): number {
  if (/^%ERROR:/m.test(answer)) return 400;
  return /^%END /m.test(answer) ? 200 : 0;
}

const refusals = ['exhausted', 'invalid', 'not-found'];

/** Calls the mirror service. */
export function mirrorCall(
  name: string,
  call: (mirror: RpcClient<typeof MirrorServiceService>) => Promise<unknown>,
): Asked {
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
        throw error;
      } finally {
        client.close();
      }
    },
  };
}
