import { type AddressInfo, createServer, type Socket } from 'node:net';
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
import type { ConnectionState, Dialect, Notices } from '../dialect.js';
import type { Turns } from '../turns.js';
import { serveConnection } from './connection.js';
import { registerListenerMetrics } from './listener-metrics.js';

export interface ListenerOptions {
  readonly port: number;
  readonly bindAddress: string | undefined;
  /** Bound on the connections of all clients together. */
  readonly connections: number;
  /** Bound on those of one client; 0 for none. */
  readonly connectionsPerClient: number;
  /** What counts as one client, by its address. */
  clientOf(address: string): string;
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
  const perClient = createConnectionBounds(o.connectionsPerClient, (address = '') => {
    const client = plainAddress(address);
    return o.connectionsPerClient === 0 || o.unlimited.includes(client) ? undefined : o.clientOf(client);
  });
  const server = createServer({ allowHalfOpen: true, noDelay: true, ...keepAlive }, (socket) => {
    const client = plainAddress(socket.remoteAddress ?? '');
    if (!perClient.opened(socket)) {
      dropped('client');
      socket.on('error', () => {});
      // Nothing of it is read, so it is closed as soon as the notice is sent.
      socket.end(o.notices.tooManyConnections(o.connectionsPerClient), () => socket.destroy());
      return;
    }
    opened(socket);
    const onFault = (error: unknown) => {
      faulty();
      logger.warn({ client, reason: errorText(error) }, 'an answer failed: connection closed');
    };
    const served = serveConnection(socket, { ...o, client, stopping: stopping.signal, onFault });
    const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
    open.set(
      socket,
      Promise.all([served, closed]).then(() => void open.delete(socket)),
    );
  });
  server.maxConnections = o.connections;
  server.on('drop', () => dropped('port'));
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
