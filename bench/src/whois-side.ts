import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { type Side, workSide } from './sides.ts';
import type { Question, WhoisScenario } from './whois-scenarios.ts';

interface WhoisOptions {
  /** "host:port". */
  readonly address: string;
  /** Processes whose descendants do the work. */
  readonly roots: readonly number[];
  readonly connections: number;
  /** Address of this machine to send from. */
  readonly localAddress: string;
}

/** Port 43 on open connections: each sends its next line after the answer to the last one. */
export function whoisSide(scenario: WhoisScenario, { address, connections, ...options }: WhoisOptions): Side {
  return workSide({ roots: options.roots, clients: connections }, async () => {
    const [host = '', port] = address.split(/:(?=\d+$)/);
    const to = { host, port: Number(port), localAddress: options.localAddress, noDelay: true };
    const sockets = Array.from({ length: connections }, () => connect(to));
    await Promise.all(sockets.map((socket) => once(socket, 'connect')));
    for (const socket of sockets) socket.write('!!\n');
    const free = [...sockets];
    return {
      async work(n) {
        const socket = free.pop()!;
        await ask(socket, scenario.question(n));
        free.push(socket);
      },
      async close() {
        for (const socket of sockets) socket.destroy();
      },
    };
  });
}

/** Sends a line, and resolves at the end of its answer; rejects when it is not the expected one. */
function ask(socket: Socket, { line, answers }: Question): Promise<void> {
  return new Promise((resolve, reject) => {
    let last = '';
    const end = () => {
      socket.off('data', onData).off('close', onClose);
    };
    const onClose = () => reject(new Error(`Port 43 closed the connection after "${line}"`));
    const onData = (piece: Buffer) => {
      if (last === '' && !answers.isExpected(piece)) {
        end();
        return reject(new Error(`"${line}" found "${piece.subarray(0, 200).toString('latin1')}"`));
      }
      last = (last + piece.subarray(-answers.end.length).toString('latin1')).slice(-answers.end.length);
      if (last !== answers.end) return;
      end();
      resolve();
    };
    socket.on('data', onData).on('close', onClose);
    socket.write(`${line}\n`);
  });
}
