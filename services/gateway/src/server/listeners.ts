import http, { type IncomingMessage, METHODS, type RequestListener, type ServerResponse } from 'node:http';
import http2, { type Http2SecureServer, Http2ServerResponse } from 'node:http2';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { TLSSocket } from 'node:tls';
import {
  type ClientNetworks,
  createConnectionBounds,
  type PortBounds,
  paceConnections,
  publicTls,
  readAddressList,
  readProxyHeaders,
} from '@cadastre/service';
import type { GatewaySettings } from '../settings.js';
import { limitResets, limitStreams, sessionLimits } from './http2-bounds.js';
import { refuseMalformedRequest, refuseMethod, refuseTunnel } from './malformed-requests.js';
import type { CertificateWithKey } from './self-signed.js';

/** The ports that the gateway listens on. */
export interface Ports {
  readonly http: number;
  readonly https: number;
  /** HTTPS with client certificates; absent when disabled. */
  readonly certificate?: number;
}

/** The listeners for HTTP, for HTTPS, and for HTTPS with client certificates. */
interface Listeners {
  /** Listens on all ports. Rejects when a port is in use. */
  start(): Promise<Ports>;
  /** Rejects with an Error that names a port that accepts no connection: closed, or full. */
  requireRoom(): Promise<void>;
  /** Uses another certificate for new connections. Throws when it is unusable. */
  useCertificate(certificate: CertificateWithKey): void;
  /**
   * Continues for `drainMs`, while each response makes its client open another connection, which a load balancer sends
   * to another gateway. Then stops accepting, waits at most `graceMs` for running requests, and closes all connections.
   */
  stop(drainMs: number, graceMs?: number): Promise<void>;
}

/** The handlers of events and checks of the listeners. */
export interface ListenerHandlers {
  /** Handles a request, by HTTP/1.1 or HTTP/2. */
  onRequest(request: IncomingMessage, response: ServerResponse): void;
  /** Handles a TLS connection whose client may have presented a certificate. */
  onClientCertificate(socket: TLSSocket): void;
  /** The networks around an address, whose connections are limited; absent for addresses without a limit. */
  networksAt(address: string | undefined): ClientNetworks | undefined;
  /** Whether the limit of reset streams applies to an address: not to trusted proxies and exempt networks. */
  isBounded(address: string | undefined): boolean;
  /** The gateway closed a connection because of a limit. */
  onDrop(reason: DropReason): void;
  /** `count` requests by HTTP/2 ended before their headers were complete. */
  onLostRequests(address: string | undefined, count: number): void;
}

/**
 * Why a connection was closed: the port or its client has too many, too many HTTP/2 streams were reset, or the header
 * of the PROXY protocol was missing.
 */
export type DropReason = 'port' | 'client' | 'resets' | 'header';

/** With `allowHTTP1` an HTTP/2 server is an HTTP/1.1 server too; its type does not say so. */
type Http1 = Pick<http.Server, 'closeIdleConnections' | 'maxRequestsPerSocket'>;
type SecureServer = Http2SecureServer & Http1;
type Server = http.Server | SecureServer;

function tlsOptions(certificate: CertificateWithKey, handshakeTimeout: number) {
  return {
    ...publicTls,
    ...certificate,
    handshakeTimeout,
  } as const;
}

/** Makes the listeners. HTTPS uses HTTP/2 with clients that offer it. */
export function createListeners(
  settings: GatewaySettings,
  certificate: CertificateWithKey,
  handlers: ListenerHandlers,
): Listeners {
  let isDraining = false;
  const { plain, secure, withCertificates } = createServers(settings, certificate, (request, response) => {
    if (isDraining) endConnectionAfter(response);
    handlers.onRequest(request, response);
  });
  withCertificates.on('secureConnection', handlers.onClientCertificate);
  const servers = [plain, secure, withCertificates];
  for (const server of [secure, withCertificates]) {
    paceConnections(server, (address = '') => handlers.networksAt(address)?.prefix ?? address);
  }
  const usedServers = settings.certPort === undefined ? [plain, secure] : servers;
  const { open, boundsOf } = boundConnections(servers, settings, handlers);
  boundStreams([secure, withCertificates], settings, handlers);
  const proxies = readAddressList('CADASTRE_PROXY_PROTOCOL_FROM', settings.proxyProtocolFrom);
  if (settings.proxyProtocolFrom.length > 0) {
    for (const server of servers) readProxyHeaders(server, proxies, () => handlers.onDrop('header'));
  }
  return {
    async start() {
      await listen(plain, settings.httpPort, settings.bindAddress);
      await listen(secure, settings.httpsPort, settings.bindAddress);
      const ports = { http: portOf(plain), https: portOf(secure) };
      if (settings.certPort === undefined) return ports;
      await listen(withCertificates, settings.certPort, settings.bindAddress);
      return { ...ports, certificate: portOf(withCertificates) };
    },
    async requireRoom() {
      for (const server of usedServers) {
        if (!server.listening) throw new Error('a port is closed');
        const count = boundsOf(server).count();
        if (count >= settings.connections) throw new Error(`port ${portOf(server)} has ${count} connections`);
      }
    },
    useCertificate(next) {
      const options = tlsOptions(next, settings.handshakeTimeoutMs);
      for (const server of [secure, withCertificates]) server.setSecureContext(options);
    },
    async stop(drainMs, graceMs = 5_000) {
      isDraining = true;
      await delay(drainMs);
      const late = setTimeout(() => {
        for (const socket of open) socket.destroy();
      }, graceMs);
      await Promise.all(servers.map(close));
      clearTimeout(late);
    },
  };
}

function createServers(settings: GatewaySettings, certificate: CertificateWithKey, listener: RequestListener) {
  const limits = {
    maxHeaderSize: settings.headerBytes,
    requestTimeout: settings.requestTimeout,
    headersTimeout: Math.min(settings.headersTimeout, settings.requestTimeout),
    connectionsCheckingInterval: 1_000,
    keepAliveTimeout: 65_000,
    // The application refuses requests without one, in the requested format.
    requireHostHeader: false,
  };
  const plain = http.createServer(limits, listener);
  // HTTP allows no writes, so a client that waits for "100 Continue" gets the final response immediately.
  plain.on('checkContinue', listener);
  const tls = {
    ...limits,
    ...sessionLimits(settings.headerBytes),
    ...tlsOptions(certificate, settings.handshakeTimeoutMs),
    allowHTTP1: true,
  };
  const secure = secureServer(tls, listener);
  // The issuer does not matter: a certificate counts if a key-cert object contains it (decision W10).
  const withCertificates = secureServer({ ...tls, requestCert: true, rejectUnauthorized: false }, listener);
  for (const server of [plain, secure, withCertificates]) {
    server.on('clientError', refuseMalformedRequest).on('connect', refuseTunnel);
    // An expectation other than 100-continue is ignored.
    server.on('checkExpectation', listener);
  }
  // No response is possible before the handshake ends.
  for (const server of [secure, withCertificates]) server.on('tlsClientError', (_error, socket) => socket.destroy());
  return { plain, secure, withCertificates };
}

/** Limits the connections of each port, of each client and of the networks around it. Returns the open ones. */
function boundConnections(
  servers: readonly Server[],
  settings: GatewaySettings,
  { networksAt, onDrop }: ListenerHandlers,
): { readonly open: ReadonlySet<Socket>; boundsOf(server: Server): PortBounds } {
  const open = new Set<Socket>();
  const bounds = createConnectionBounds({
    perClient: settings.connectionsPerClient,
    networksOf: networksAt,
    onEvicted: () => onDrop('port'),
  });
  const ports = new Map(servers.map((server) => [server, bounds.port(settings.connections)]));
  for (const [server, port] of ports) {
    server.maxRequestsPerSocket = settings.requestsPerConnection;
    server.setTimeout(idleTimeoutOf(settings));
    server.on('connection', (socket: Socket) => {
      open.add(socket);
      socket.once('close', () => open.delete(socket));
      const admitted = port.admit(socket);
      if (typeof admitted === 'function') return void socket.once('close', admitted);
      onDrop(admitted);
      socket.destroy();
    });
  }
  return { open, boundsOf: (server) => ports.get(server)! };
}

/** Limits the streams of HTTP/2. */
function boundStreams(
  servers: readonly SecureServer[],
  settings: GatewaySettings,
  { isBounded, onDrop, onLostRequests }: ListenerHandlers,
): void {
  for (const server of servers) {
    limitStreams(server, settings.requestTimeout, idleTimeoutOf(settings));
    limitResets(server, settings.requestsPerConnection, {
      isBounded,
      onLostRequests,
      onClose: () => onDrop('resets'),
    });
  }
}

function idleTimeoutOf({ deadlines, stallTimeout }: GatewaySettings): number {
  return deadlines.search + stallTimeout;
}

function secureServer(options: http2.SecureServerOptions, listener: RequestListener): SecureServer {
  const server = http2.createSecureServer(options) as SecureServer;
  // Fastify reads the requests of both protocols through the interface of HTTP/1.1.
  server.on('request', (request, response) => {
    if (response instanceof Http2ServerResponse && !METHODS.includes(request.method)) return refuseMethod(response);
    listener(request as unknown as IncomingMessage, response as unknown as ServerResponse<IncomingMessage>);
  });
  return server;
}

/** Ends the connection after this response: by `Connection: close`, or GOAWAY in HTTP/2. */
function endConnectionAfter(response: ServerResponse): void {
  const { stream } = response as unknown as Partial<Http2ServerResponse>;
  if (stream) stream.session?.close();
  else response.shouldKeepAlive = false;
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
