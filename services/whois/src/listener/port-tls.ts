import { X509Certificate } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { createSecureContext, type SecureContext, TLSSocket } from 'node:tls';
import { errorText, followFiles, type Logger, type Metrics, publicTls, SettingsError } from '@cadastre/service';
import { Gauge } from 'prom-client';
import type { WhoisSettings } from '../settings.js';
import { makeSocketFolder } from '../socket-folder.js';
import { linger } from './connection.js';

/** TLS of a port; new connections use the newest certificate. */
export interface PortTls {
  readonly port: number;
  /** Makes the handshake of a connection; undefined when the client fails, or takes too long. */
  secure(socket: Socket): Promise<TLSSocket | undefined>;
  stop(): void;
}

type TlsSettings = Pick<WhoisSettings, 'tlsPort' | 'tlsPortCertFile' | 'tlsPortKeyFile'>;

/** That of the gateway. */
const handshakeMs = 10_000;

/** Each side of a connection holds so much of what the other has not read. */
const highWaterMark = 16 * 1024;

/** Opens the certificate of the port with TLS; undefined without such a port. Throws a SettingsError. */
export function openPortTls(
  { tlsPort, tlsPortCertFile, tlsPortKeyFile }: TlsSettings,
  { logger, metrics, intervalMs }: { logger: Logger; metrics: Metrics; intervalMs?: number | undefined },
): PortTls | undefined {
  if (tlsPort === undefined) return undefined;
  const names = 'CADASTRE_WHOIS_TLS_CERT_FILE and CADASTRE_WHOIS_TLS_KEY_FILE';
  if (tlsPortCertFile === undefined || tlsPortKeyFile === undefined) {
    throw new SettingsError([`${names}: CADASTRE_WHOIS_TLS_PORT needs both`]);
  }
  const followed = orSettingsError(names, () =>
    followFiles({
      files: [tlsPortCertFile, tlsPortKeyFile],
      read: readPair,
      onChange: ({ notAfter }) => logger.info({ notAfter }, 'new certificate for whois over TLS in use'),
      onProblem: (error) =>
        logger.error(
          { reason: errorText(error) },
          'cannot use the new certificate for whois over TLS: continuing with the previous one',
        ),
      ...(intervalMs !== undefined && { intervalMs }),
    }),
  );
  new Gauge({
    name: 'cadastre_whois_certificate_expiry_timestamp_seconds',
    help: 'When the certificate for whois over TLS that is in use expires, as Unix time.',
    registers: [metrics],
    collect() {
      this.set(followed.current().notAfter.getTime() / 1000);
    },
  });
  return {
    port: tlsPort,
    stop: followed.stop,
    secure: (socket) => handshake(socket, followed.current().secureContext),
  };
}

interface Pair {
  readonly secureContext: SecureContext;
  readonly notAfter: Date;
}

/** Throws when certificate and key do not match, or the certificate is not valid now. */
function readPair([cert, key]: Buffer[]): Pair {
  const secureContext = createSecureContext({ ...publicTls, cert: cert!, key: key! });
  const { validFromDate, validToDate } = new X509Certificate(cert!);
  if (validFromDate > new Date() || validToDate <= new Date()) {
    throw new Error(`the certificate is valid from ${validFromDate.toISOString()} until ${validToDate.toISOString()}`);
  }
  return { secureContext, notAfter: validToDate };
}

function orSettingsError<T>(names: string, open: () => T): T {
  try {
    return open();
  } catch (error) {
    throw new SettingsError([`${names}: ${errorText(error)}`]);
  }
}

function handshake(socket: Socket, secureContext: SecureContext): Promise<TLSSocket | undefined> {
  return new Promise((resolve) => {
    const secured = new TLSSocket(socket, { isServer: true, secureContext, highWaterMark } as object);
    const late = setTimeout(() => socket.destroy(), handshakeMs);
    const done = (result: TLSSocket | undefined) => {
      clearTimeout(late);
      resolve(result);
    };
    secured.once('secure', () => done(secured));
    secured.once('close', () => done(undefined));
    for (const one of [socket, secured]) one.on('error', () => socket.destroy());
  });
}

/**
 * Makes plain ends of connections over TLS: another process can take those, while the keys stay in this one, which
 * carries the bytes. They use a Unix socket in a folder that only this user may open.
 */
export function createPlainEnds(writeTimeoutMs: number) {
  const waiting: ((socket: Socket) => void)[] = [];
  // A Unix socket accepts connections in their order, and only this process makes some.
  const server = createServer({ allowHalfOpen: true, highWaterMark }, (socket) => waiting.shift()?.(socket));
  let folder = '';
  return {
    /** A socket that carries the rest of a connection. */
    plainEndOf: (secured: Socket): Promise<Socket> =>
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
