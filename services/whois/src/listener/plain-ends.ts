import { rm } from 'node:fs/promises';
import { connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import type { Service } from '@cadastre/service';
import { makeSocketFolder } from '../socket-folder.js';
import { linger } from './connection.js';

/**
 * Makes plain ends of connections over TLS: another process can take those, while the keys stay in this one, which
 * carries the bytes.
 */
export interface PlainEnds extends Service {
  /** A socket that carries the rest of a connection. */
  plainEndOf(secured: Socket): Promise<Socket>;
}

/** Bytes that are on their way in each direction. */
const highWaterMark = 16 * 1024;

/** Makes them; they use a Unix socket in a folder that only this user may open. */
export function createPlainEnds(writeTimeoutMs: number): PlainEnds {
  const waiting: ((socket: Socket) => void)[] = [];
  // A Unix socket accepts connections in their order, and only this process makes some.
  const server = createServer({ allowHalfOpen: true, highWaterMark }, (socket) => waiting.shift()?.(socket));
  let folder = '';
  return {
    plainEndOf: (secured) =>
      new Promise((resolve, reject) => {
        const near = connect({ path: join(folder, 'plain.sock'), allowHalfOpen: true });
        const fail = (error: Error) => {
          waiting.splice(waiting.indexOf(resolve), 1);
          reject(error);
        };
        waiting.push(resolve);
        near.once('error', fail).once('connect', () => near.off('error', fail));
        carry(secured, near, writeTimeoutMs);
      }),
    async start() {
      folder = await makeSocketFolder();
      await new Promise<void>((resolve, reject) => {
        server.once('error', reject);
        server.listen(join(folder, 'plain.sock'), resolve);
      });
    },
    async stop() {
      server.close();
      if (folder !== '') await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Carries bytes between a client and the plain end of its connection, as fast as each reads. */
function carry(secured: Socket, near: Socket, writeTimeoutMs: number): void {
  secured.pipe(near);
  near.pipe(secured, { end: false });
  near.on('error', () => {});
  secured.once('close', () => near.destroy());
  let isAnswered = false;
  near.once('end', () => {
    isAnswered = true;
    secured.unpipe(near);
    near.end();
    secured.setTimeout(writeTimeoutMs, () => secured.destroy());
    secured.end(() => linger(secured));
  });
  near.once('close', () => isAnswered || secured.destroy());
}
