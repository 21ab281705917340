import { connect } from 'node:net';
import type { Duplex } from 'node:stream';
import tls, { type ConnectionOptions } from 'node:tls';

/** A connection for raw bytes; over TLS if there are options for it. */
export async function openConnection(port: number | undefined, secure?: ConnectionOptions): Promise<Duplex> {
  const target = { port: port ?? 0, host: '127.0.0.1' };
  const socket = secure ? tls.connect({ ...target, rejectUnauthorized: false, ...secure }) : connect(target);
  await new Promise<void>((resolve, reject) => {
    socket.once(secure ? 'secureConnect' : 'connect', () => resolve());
    socket.once('error', reject);
  });
  socket.on('error', () => {});
  return socket;
}

/** Sends bytes on a new connection; returns all received bytes when the server closes it. */
export async function rawRequest(
  port: number | undefined,
  sent: string | Buffer,
  secure?: ConnectionOptions,
): Promise<string> {
  const socket = await openConnection(port, secure);
  socket.write(sent);
  return untilClosed(socket);
}

/** The bytes until the server closes the connection. */
async function untilClosed(socket: Duplex): Promise<string> {
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  await new Promise((resolve) => socket.once('close', resolve));
  return Buffer.concat(chunks).toString();
}
