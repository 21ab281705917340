import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';

/** A whois server whose answers a test defines. */
export interface StubWhois {
  readonly port: number;
  /** The lines that it received. */
  readonly requested: string[];
  /** Its answer from now on: bytes (latin-1), or a function that handles the connection. */
  answer(next: string | ((socket: Socket) => void)): void;
  stop(): Promise<void>;
}

/** Starts the server on a free port. It closes connections after its answers. */
export async function startStubWhois(): Promise<StubWhois> {
  const requested: string[] = [];
  let answer: string | ((socket: Socket) => void) = '';
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {}).on('close', () => sockets.delete(socket));
    socket.setEncoding('latin1').once('data', (line) => {
      requested.push(String(line));
      if (typeof answer === 'string') socket.end(answer, 'latin1');
      else answer(socket);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    requested,
    answer: (next) => {
      answer = next;
    },
    async stop() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
