import { constants } from 'node:crypto';
import http from 'node:http';
import https from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { TLSSocket } from 'node:tls';
import type { ServerCertificate } from './certificate.js';
import { render } from './format/render.js';
import { messages } from './messages.js';
import type { GatewaySettings } from './settings.js';

/** The ports that are listened on. */
export interface Ports {
  readonly http: number;
  readonly https: number;
  /** HTTPS with client certificates; absent when that is switched off. */
  readonly certificate?: number;
}

/** The listeners for HTTP, for HTTPS, and for HTTPS with client certificates. */
export interface Listeners {
  /** Listens on all. Rejects when a port is taken. */
  start(): Promise<Ports>;
  /** Stops accepting, waits for running requests at most `graceMs`, then cuts them off. */
  stop(graceMs?: number): Promise<void>;
}

type ListenerSettings = Pick<
  GatewaySettings,
  'httpPort' | 'httpsPort' | 'certPort' | 'bindAddress' | 'headerBytes' | 'requestTimeout'
>;

/** Makes the listeners; each request goes to `handle`, each connection that may have shown a certificate to `certified`. */
export function createListeners(
  settings: ListenerSettings,
  certificate: ServerCertificate,
  handle: http.RequestListener,
  certified: (socket: TLSSocket) => void,
): Listeners {
  const limits = {
    maxHeaderSize: settings.headerBytes,
    requestTimeout: settings.requestTimeout,
    headersTimeout: Math.min(10_000, settings.requestTimeout),
    keepAliveTimeout: 65_000,
  };
  const plain = http.createServer(limits, handle);
  // No write is accepted here, so a client that asks before it sends a body is never told to go on.
  plain.on('checkContinue', handle);
  const tls = {
    ...limits,
    ...certificate,
    minVersion: 'TLSv1.2',
    secureOptions: constants.SSL_OP_NO_RENEGOTIATION,
  } as const;
  const secure = https.createServer(tls, handle);
  // Who issued a certificate does not matter: it counts only if a key-cert object holds it (decision W10).
  const asking = https.createServer({ ...tls, requestCert: true, rejectUnauthorized: false }, handle);
  asking.on('secureConnection', certified);
  const servers = [plain, secure, asking];
  for (const server of servers) server.on('clientError', answerBrokenRequest);
  return {
    async start() {
      await listen(plain, settings.httpPort, settings.bindAddress);
      await listen(secure, settings.httpsPort, settings.bindAddress);
      const ports = { http: portOf(plain), https: portOf(secure) };
      if (settings.certPort === undefined) return ports;
      await listen(asking, settings.certPort, settings.bindAddress);
      return { ...ports, certificate: portOf(asking) };
    },
    async stop(graceMs = 5_000) {
      await Promise.all(servers.map((server) => close(server, graceMs)));
    },
  };
}

function listen(server: http.Server, port: number, host: string | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port, ...(host === undefined ? {} : { host }) }, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

function portOf(server: http.Server): number {
  return (server.address() as AddressInfo).port;
}

async function close(server: http.Server, graceMs: number): Promise<void> {
  if (!server.listening) return;
  const idle = setInterval(() => server.closeIdleConnections(), 50);
  const cut = setTimeout(() => server.closeAllConnections(), graceMs);
  await new Promise((resolve) => server.close(resolve));
  clearInterval(idle);
  clearTimeout(cut);
}

const brokenRequestStatus: Record<string, readonly [number, string]> = {
  HPE_HEADER_OVERFLOW: [431, 'Request Header Fields Too Large'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'Request Timeout'],
};

/** What cannot be read as HTTP is answered in XML: which format was asked for is not known. */
function answerBrokenRequest(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable || ((socket as Socket).bytesWritten ?? 0) > 0) {
    socket.destroy();
    return;
  }
  const [status, text] = brokenRequestStatus[error.code ?? ''] ?? [400, 'Bad Request'];
  const body = Buffer.from(render('xml', { head: {}, messages: [messages.badRequest(text)] }));
  socket.end(
    `HTTP/1.1 ${status} ${text}\r\nConnection: close\r\nContent-Type: application/xml\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  );
}
