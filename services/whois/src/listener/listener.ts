import { type AddressInfo, createServer } from 'node:net';
import { type Limiter, networksOf } from '@cadastre/limits';
import {
  type AddressList,
  type AnswerMemory,
  createConnectionBounds,
  errorText,
  type Logger,
  type PortBounds,
  plainAddress,
  readProxyHeaders,
  type Service,
} from '@cadastre/service';
import { type ConnectionState, type Dialect, type Notices, nothing } from '../dialect.js';
import type { IndexService } from '../index-process/index-service.js';
import type { LoopTurns } from '../turns.js';
import { linger, serveConnection } from './connection.js';
import type { DropReason, ListenerMetrics } from './listener-metrics.js';
import { createPortConnection, type PortConnection } from './port-connection.js';

export interface ListenerOptions {
  readonly port: number;
  readonly bindAddress: string | undefined;
  /** Maximum connections of all clients together. */
  readonly connections: number;
  /** Maximum connections of one client that send RIPE-style queries; 0 for no limit of any connections. */
  readonly connectionsPerClient: number;
  /** Knows which clients are blocked. */
  readonly limiter: Limiter;
  /** Clients without such a bound. */
  readonly unlimited: AddressList;
  /** Load balancers that use the PROXY protocol; undefined when none does. */
  readonly proxies: AddressList | undefined;
  /** Answers the lines that are not handed over. */
  readonly dialect: Dialect;
  /** Whether `index` serves a connection from this line on. */
  handsOver(line: string): boolean;
  readonly index: Pick<IndexService, 'handOver'>;
  readonly turns: LoopTurns;
  readonly notices: Notices;
  readonly initial: ConnectionState;
  readonly writeTimeoutMs: number;
  /** Memory of what clients have not read. */
  readonly memory: AnswerMemory;
  /** Maximum time for answers when the listener stops. */
  readonly drainMs: number;
  readonly logger: Logger;
  readonly counts: ListenerMetrics;
}

/** Listens for lines of text over TCP. */
export interface Listener extends Service {
  /** The port, after `start`. */
  port(): number;
}

/** How long answers that are being sent may usually take when the service stops. */
export const usualDrainMs = 5_000;

/** Streams of changes may be silent for hours; the system asks then whether the client is still there. */
const keepAlive = { keepAlive: true, keepAliveInitialDelay: 60_000 };

/**
 * A client may have this many times as many connections in all: programs that make filters open several at once. Those
 * without a line are among them, because a connection shows what it is for only by its first line.
 */
const allConnectionsTimes = 5;

/** Makes the listener; `stop` closes idle connections, and the others after their answers. */
export function createListener(o: ListenerOptions): Listener {
  const { logger, proxies } = o;
  const { opened, dropped, faulty } = o.counts;
  const stopping = new AbortController();
  const open = new Map<PortConnection, Promise<void>>();
  const boundsOf = (perClient: number, ofPort: number) =>
    createConnectionBounds({
      perClient: perClient === 0 ? Number.POSITIVE_INFINITY : perClient,
      networksOf(address = '') {
        const client = plainAddress(address);
        return o.unlimited.includes(client) ? undefined : networksOf(client);
      },
      onEvicted: () => dropped('port'),
    }).port(ofPort);
  const maxPerClient = allConnectionsTimes * o.connectionsPerClient;
  const bounds = boundsOf(maxPerClient, o.connections);
  /** The connections among them that have begun with a RIPE-style query, and that this process serves. */
  const queryBounds = boundsOf(o.connectionsPerClient, Number.POSITIVE_INFINITY);
  /** Why a connection is refused before anything is read, and the message to its client. */
  const refusalOf = (
    client: string,
    connection: PortConnection,
  ): { reason: DropReason; notice: Buffer } | undefined => {
    const blocked = o.limiter.checkBlocked(o.limiter.clients.atAddress(client));
    if (blocked !== undefined) return { reason: 'blocked', notice: o.notices.blocked(blocked) };
    const tooMany = bounds.admit(connection);
    if (tooMany === undefined) return undefined;
    const notice = tooMany === 'client' ? o.notices.tooManyConnections(maxPerClient) : nothing;
    return { reason: tooMany, notice };
  };
  /**
   * Counts a connection without a line as a query. It does not wait, so a client that continues is blocked for a time.
   */
  const countConnection = (client: string) => {
    o.limiter.count(o.limiter.clients.atAddress(client), 'queries');
  };
  const server = createServer({ allowHalfOpen: true, noDelay: true, ...keepAlive }, (socket) => {
    const client = plainAddress(socket.remoteAddress ?? '');
    const connection = createPortConnection(socket);
    const refusal = refusalOf(client, connection);
    if (refusal !== undefined) {
      dropped(refusal.reason);
      if (refusal.reason !== 'blocked') countConnection(client);
      socket.on('error', () => {});
      // Nothing of it is read, so it closes as soon as the notice is sent.
      socket.end(refusal.notice, () => socket.destroy());
      return;
    }
    opened(connection);
    let hasAsked = false;
    let place: QueryPlace | undefined;
    const dialect: Dialect = (line, state, requester) => {
      place ??= takePlace(queryBounds, connection);
      if (place === undefined) {
        dropped('client');
        return { body: o.notices.tooManyConnections(o.connectionsPerClient), state: { ...state, staysOpen: false } };
      }
      hasAsked = true;
      return o.dialect(line, state, requester);
    };
    const onFault = (error: unknown) => {
      faulty();
      logger.warn({ client, reason: errorText(error) }, 'an answer failed: connection closed');
    };
    const serve = async () => {
      const onTooSlow = () => dropped('slow');
      const clientId = o.limiter.clients.atAddress(client).id;
      const own = { dialect, client, clientId, stopping: stopping.signal, onTooSlow, onFault };
      const remainder = await serveConnection(socket, { ...o, ...own });
      if (remainder === undefined) return;
      hasAsked = true;
      place?.leave();
      try {
        connection.servedBy(o.index.handOver({ ...remainder, socket, client }));
      } catch (error) {
        onFault(error);
        linger(socket);
      }
    };
    // Lines are counted themselves.
    connection.once('close', () => hasAsked || countConnection(client));
    open.set(
      connection,
      Promise.all([serve(), connection.closed]).then(() => void open.delete(connection)),
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
        for (const connection of open.keys()) connection.destroy();
      }, o.drainMs);
      // Its callback never comes if a process with sockets of the server has ended.
      server.close();
      await Promise.all(open.values());
      clearTimeout(late);
    },
  };
}

/** The place of a connection among those with RIPE-style queries. */
interface QueryPlace {
  leave(): void;
}

/** Takes a place until the connection is closed, or leaves it earlier; undefined when the client has no more. */
function takePlace(bounds: PortBounds, connection: PortConnection): QueryPlace | undefined {
  let leave = () => {};
  const { remoteAddress } = connection;
  const tooMany = bounds.admit({
    ...{ remoteAddress, bytesRead: 0, bytesWritten: 0 },
    once(_event, left) {
      leave = left;
      return connection.once('close', left);
    },
    destroy() {},
  });
  return tooMany === undefined ? { leave } : undefined;
}
