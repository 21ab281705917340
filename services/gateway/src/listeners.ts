import { constants } from 'node:crypto';
import http, { type IncomingMessage, METHODS, type RequestListener, type ServerResponse } from 'node:http';
import http2, { type Http2SecureServer, Http2ServerResponse } from 'node:http2';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { TLSSocket } from 'node:tls';
import { answerBrokenRequest, refuseMethod, refuseTunnel } from './broken-request.js';
import type { ServerCertificate } from './certificate.js';
import { limitStreams, sessionLimits } from './http2-limits.js';
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
  /** Shows another certificate to connections from now on. Throws when it is none. */
  useCertificate(certificate: ServerCertificate): void;
  /**
   * Goes on for `drainMs`, while each answer tells its client to make its next connection (which a load balancer leads
   * to another gateway); then stops accepting, waits for running requests at most `graceMs`, and cuts them off.
   */
  stop(drainMs: number, graceMs?: number): Promise<void>;
}

/** What connections bring. */
export interface Callers {
  /** A request, by HTTP/1.1 or HTTP/2. */
  handle(request: IncomingMessage, response: ServerResponse): void;
  /** A connection that may have shown a certificate. */
  certified(socket: TLSSocket): void;
  /** A connection was closed at once, because there are too many. */
  dropped(): void;
}

type ListenerSettings = Pick<
  GatewaySettings,
  | 'httpPort'
  | 'httpsPort'
  | 'certPort'
  | 'bindAddress'
  | 'headerBytes'
  | 'requestTimeout'
  | 'stallTimeout'
  | 'searchDeadline'
  | 'connections'
  | 'requestsPerConnection'
>;

/** What a server for HTTP/2 has of one for HTTP/1.1, which it is too. */
type Http1 = Pick<http.Server, 'closeIdleConnections' | 'maxRequestsPerSocket'>;
type SecureServer = Http2SecureServer & Http1;
type Server = http.Server | SecureServer;

/** TLS 1.2 with forward secrecy and authenticated encryption only, and TLS 1.3 (RFC 9325 section 4.2). */
const ciphers = [
  'TLS_AES_256_GCM_SHA384',
  'TLS_CHACHA20_POLY1305_SHA256',
  'TLS_AES_128_GCM_SHA256',
  'ECDHE-ECDSA-AES128-GCM-SHA256',
  'ECDHE-RSA-AES128-GCM-SHA256',
  'ECDHE-ECDSA-AES256-GCM-SHA384',
  'ECDHE-RSA-AES256-GCM-SHA384',
  'ECDHE-ECDSA-CHACHA20-POLY1305',
  'ECDHE-RSA-CHACHA20-POLY1305',
].join(':');

function tlsOptions(certificate: ServerCertificate) {
  return {
    ...certificate,
    ciphers,
    minVersion: 'TLSv1.2',
    secureOptions: constants.SSL_OP_NO_RENEGOTIATION,
    handshakeTimeout: 10_000,
  } as const;
}

/** Makes the listeners. HTTPS speaks HTTP/2 with clients that offer it. */
export function createListeners(
  settings: ListenerSettings,
  certificate: ServerCertificate,
  { handle, certified, dropped }: Callers,
): Listeners {
  const limits = {
    maxHeaderSize: settings.headerBytes,
    requestTimeout: settings.requestTimeout,
    headersTimeout: Math.min(10_000, settings.requestTimeout),
    connectionsCheckingInterval: 1_000,
    keepAliveTimeout: 65_000,
    // Told in the format asked for: see app.ts.
    requireHostHeader: false,
  };
  let leaving = false;
  const listener: RequestListener = (request, response) => {
    if (leaving) lastOfConnection(response);
    handle(request, response);
  };
  const plain = http.createServer(limits, listener);
  // No write is accepted here, so a client that asks before it sends a body is never told to go on.
  plain.on('checkContinue', listener);
  const tls = { ...limits, ...sessionLimits(settings.headerBytes), ...tlsOptions(certificate), allowHTTP1: true };
  const secure = secureServer(tls, listener);
  // Who issued a certificate does not matter: it counts only if a key-cert object holds it (decision W10).
  const asking = secureServer({ ...tls, requestCert: true, rejectUnauthorized: false }, listener);
  asking.on('secureConnection', certified);
  const servers: Server[] = [plain, secure, asking];
  const idleTimeout = settings.searchDeadline + settings.stallTimeout;
  for (const server of servers) {
    server.maxConnections = settings.connections;
    server.setTimeout(idleTimeout);
    server.on('drop', dropped).on('clientError', answerBrokenRequest).on('connect', refuseTunnel);
    // What a client expects beside 100-continue is not for us to say.
    server.on('checkExpectation', listener);
    server.maxRequestsPerSocket = settings.requestsPerConnection;
  }
  for (const server of [secure, asking]) limitStreams(server, settings.requestTimeout, idleTimeout);
  const open = openSockets(servers);
  return {
    async start() {
      await listen(plain, settings.httpPort, settings.bindAddress);
      await listen(secure, settings.httpsPort, settings.bindAddress);
      const ports = { http: portOf(plain), https: portOf(secure) };
      if (settings.certPort === undefined) return ports;
      await listen(asking, settings.certPort, settings.bindAddress);
      return { ...ports, certificate: portOf(asking) };
    },
    useCertificate(next) {
      for (const server of [secure, asking]) server.setSecureContext(tlsOptions(next));
    },
    async stop(drainMs, graceMs = 5_000) {
      leaving = true;
      await delay(drainMs);
      const cut = setTimeout(() => {
        for (const socket of open) socket.destroy();
      }, graceMs);
      await Promise.all(servers.map(close));
      clearTimeout(cut);
    },
  };
}

function secureServer(options: http2.SecureServerOptions, handle: RequestListener): SecureServer {
  const server = http2.createSecureServer(options) as SecureServer;
  // The framework was made for HTTP/1.1; the requests of HTTP/2 look the same to it.
  server.on('request', (request, response) => {
    if (response instanceof Http2ServerResponse && !METHODS.includes(request.method)) return refuseMethod(response);
    handle(request as unknown as IncomingMessage, response as unknown as ServerResponse<IncomingMessage>);
  });
  return server;
}

/** The connection ends after this answer: by `Connection: close`, or for HTTP/2 by GOAWAY. */
function lastOfConnection(response: ServerResponse): void {
  const { stream } = response as unknown as Partial<Http2ServerResponse>;
  if (stream) stream.session?.close();
  else response.shouldKeepAlive = false;
}

/** The connections that are open at any time. */
function openSockets(servers: readonly Server[]): ReadonlySet<Socket> {
  const open = new Set<Socket>();
  for (const server of servers) {
    server.on('connection', (socket: Socket) => {
      open.add(socket);
      socket.once('close', () => open.delete(socket));
    });
  }
  return open;
}

function listen(server: Server, port: number, host: string | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port, ...(host === undefined ? {} : { host }) }, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}

async function close(server: Server): Promise<void> {
  if (!server.listening) return;
  const closed = new Promise((resolve) => server.once('close', resolve));
  server.close();
  const idle = setInterval(() => server.closeIdleConnections(), 50);
  await closed;
  clearInterval(idle);
}
