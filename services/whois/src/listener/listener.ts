import { type AddressInfo, createServer, type Socket } from 'node:net';
import { type Limiter, networksOf } from '@cadastre/limits';
import {
  type AddressList,
  createConnectionBounds,
  errorText,
  type Logger,
  type Metrics,
  plainAddress,
  readProxyHeaders,
  type Service,
} from '@cadastre/service';
import { type ConnectionState, type Dialect, type Notices, nothing } from '../dialect.js';
import type { Turns } from '../turns.js';
import { serveConnection } from './connection.js';
import { type DropReason, registerListenerMetrics } from './listener-metrics.js';

export interface ListenerOptions {
  readonly port: number;
  readonly bindAddress: string | undefined;
  /** Bound on the connections of all clients together. */
  readonly connections: number;
  /** Bound on those of one client; 0 for none. */
  readonly connectionsPerClient: number;
  /** Tells which clients are blocked. */
  readonly limiter: Limiter;
  /** Clients without such a bound. */
  readonly unlimited: AddressList;
  /** Load balancers that use the PROXY protocol; undefined when none does. */
  readonly proxies: AddressList | undefined;
  readonly dialect: Dialect;
  readonly turns: Turns;
  readonly notices: Notices;
  readonly initial: ConnectionState;
  readonly writeTimeoutMs: number;
  /** How long answers may take when the listener stops. */
  readonly drainMs: number;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/** Listens for lines of text over TCP. */
export interface Listener extends Service {
  /** The port, after `start`. */
  port(): number;
}

/** Streams of changes may be silent for hours; the system asks then whether the client is still there. */
const keepAlive = { keepAlive: true, keepAliveInitialDelay: 60_000 };

/** Makes the listener; `stop` closes idle connections, and the others after their answers. */
export function createListener(o: ListenerOptions): Listener {
  const { logger, proxies } = o;
  const { opened, dropped, faulty } = registerListenerMetrics(o.metrics);
  const stopping = new AbortController();
  const open = new Map<Socket, Promise<void>>();
  const bounds = createConnectionBounds({
    perClient: o.connectionsPerClient === 0 ? Number.POSITIVE_INFINITY : o.connectionsPerClient,
    networksOf(address = '') {
      const client = plainAddress(address);
      return o.unlimited.includes(client) ? undefined : networksOf(client);
    },
    onEvicted: () => dropped('port'),
  }).port(o.connections);
  /** Why a connection is refused before anything is read, and what its client gets. */
  const refusalOf = (client: string, socket: Socket): { reason: DropReason; notice: Buffer } | undefined => {
    const blocked = o.limiter.checkBlocked(o.limiter.clients.atAddress(client));
    if (blocked !== undefined) return { reason: 'blocked', notice: o.notices.blocked(blocked) };
    const tooMany = bounds.admit(socket);
    if (tooMany === undefined) return undefined;
    const notice = tooMany === 'client' ? o.notices.tooManyConnections(o.connectionsPerClient) : nothing;
    return { reason: tooMany, notice };
  };
  /** Counts a connection without a line as a query. Nobody waits here, so one who goes on is blocked for a time. */
  const countConnection = (client: string) => {
    o.limiter.count(o.limiter.clients.atAddress(client), 'queries');
  };
  const server = createServer({ allowHalfOpen: true, noDelay: true, ...keepAlive }, (socket) => {
    const client = plainAddress(socket.remoteAddress ?? '');
    const refusal = refusalOf(client, socket);
    if (refusal !== undefined) {
      dropped(refusal.reason);
      if (refusal.reason !== 'blocked') countConnection(client);
      socket.on('error', () => {});
      // Nothing of it is read, so it is closed as soon as the notice is sent.
      socket.end(refusal.notice, () => socket.destroy());
      return;
    }
    opened(socket);
    let hasAsked = false;
    const dialect: Dialect = (...asked) => {
      hasAsked = true;
      return o.dialect(...asked);
    };
    const onFault = (error: unknown) => {
      faulty();
      logger.warn({ client, reason: errorText(error) }, 'an answer failed: connection closed');
    };
    const served = serveConnection(socket, {
      ...o,
      dialect,
      client,
      stopping: stopping.signal,
      onTooSlow: () => dropped('slow'),
      onFault,
    });
    const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
    // Lines count themselves.
    socket.once('close', () => hasAsked || countConnection(client));
    open.set(
      socket,
      Promise.all([served, closed]).then(() => void open.delete(socket)),
    );
  });
  if (proxies !== undefined) readProxyHeaders(server, proxies, () => dropped('header'));
  return {
    port: () => (server.address() as AddressInfo).port,
    async start() {
      await new Promise<void>((resolve, reject) => {
        server.once('error', reject);
        const { port, bindAddress: host } = o;
        server.listen({ port, ...(host === undefined ? {} : { host }) }, () => {
          server.off('error', reject);
          resolve();
        });
      });
      logger.info({ port: (server.address() as AddressInfo).port }, 'listening');
    },
    async stop() {
      stopping.abort();
      const late = setTimeout(() => {
        for (const socket of open.keys()) socket.destroy();
      }, o.drainMs);
      const closed = new Promise((resolve) => server.close(resolve));
      await Promise.all(open.values());
      clearTimeout(late);
      await closed;
    },
  };
}
