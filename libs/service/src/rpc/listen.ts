import { lstat, unlink } from 'node:fs/promises';
import { connect } from 'node:net';
import type { Server, ServerCredentials } from '@grpc/grpc-js';

/** Binds a gRPC server; returns the address with the actual port. Throws when the address is in use. */
export async function listen(server: Server, address: string, credentials: ServerCredentials): Promise<string> {
  if (address.startsWith('unix:')) await removeStaleSocket(address.slice('unix:'.length));
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync(address, credentials, (error, bound) => (error ? reject(error) : resolve(bound)));
  });
  return address.startsWith('unix:') ? address : address.replace(/:\d+$/, `:${port}`);
}

/** A killed process leaves a socket on which nothing listens. */
async function removeStaleSocket(path: string): Promise<void> {
  const found = await lstat(path).catch(() => undefined);
  if (!found?.isSocket()) return;
  if (await answers(path)) throw new Error(`unix:${path} is in use by another process`);
  await unlink(path);
}

function answers(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path);
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
