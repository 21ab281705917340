import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { type Limiter, networksOf } from '@cadastre/limits';
import {
  type AddressList,
  type AnswerMemory,
  createConnectionBounds,
  errorText,
  type Logger,
  type LoopTurns,
  type PortBounds,
  plainAddress,
  readProxyHeaders,
} from '@cadastre/service';
import { type ConnectionState, type Dialect, type Notices, nothing } from '../dialect.js';
import type { IndexService } from '../index-process/index-service.js';
import { linger, serveConnection } from './connection.js';
import { createPortConnection, type DropReason, type ListenerMetrics, type PortConnection } from './port-connection.js';
import { createPlainEnds, type PortTls } from './port-tls.js';

export interface ListenerOptions {
  readonly port: number;
  /** The port with TLS; undefined for none. */
  readonly tls: PortTls | undefined;
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
export type Listener = ReturnType<typeof createListener>;

/** How long answers that are being sent may usually take when the service stops. */
export const usualDrainMs = 5_000;

/** Streams of changes may be silent for hours; the system asks then whether the client is still there. */
const keepAlive = { keepAlive: true, keepAliveInitialDelay: 60_000 };

/**
 * A client may have this many times as many connections in all: programs that make filters open several together. Those
 * without a line are among them, because a connection shows what it is for only by its first line.
 */
const allConnectionsTimes = 5;

/** Maximum connections of the port with TLS: each takes 65 KiB when it is idle, and three times as much while it answers. */
const maxTlsConnections = 500;

/** Makes the listener; `stop` closes idle connections, and the others after their answers. */
export function createListener(o: ListenerOptions) {
  const { logger, proxies } = o;
  const { opened, dropped, faulty } = o.counts;
  const stopping = new AbortController();
  const open = new Map<PortConnection, Promise<void>>();
  const boundsOf = (perClient: number) =>
    createConnectionBounds({
      perClient: perClient === 0 ? Number.POSITIVE_INFINITY : perClient,
      networksOf(address = '') {
        const client = plainAddress(address);
        return o.unlimited.includes(client) ? undefined : networksOf(client);
      },
      onEvicted: () => dropped('port'),
    });
  const maxPerClient = allConnectionsTimes * o.connectionsPerClient;
  const bounds = boundsOf(maxPerClient);
  /** The connections among them that have begun with a RIPE-style query, and that this process serves. */
  const queryBounds = boundsOf(o.connectionsPerClient).port(Number.POSITIVE_INFINITY);
  /** Why a connection is refused before anything is read, and the message to its client. */
  const refusalOf = (
    client: string,
    connection: PortConnection,
    portBounds: PortBounds,
  ): { reason: DropReason; notice: Buffer } | undefined => {
    const blocked = o.limiter.checkBlocked(o.limiter.clients.atAddress(client));
    if (blocked !== undefined) return { reason: 'blocked', notice: o.notices.blocked(blocked) };
    const admitted = portBounds.admit(connection);
    if (typeof admitted === 'function') return void connection.closed.then(admitted);
    const notice = admitted === 'client' ? o.notices.tooManyConnections(maxPerClient) : nothing;
    return { reason: admitted, notice };
  };
  /**
   * Counts a connection without a line as a query. It does not wait, so a client that continues is blocked for a time.
   */
  const countConnection = (client: string) => {
    o.limiter.count(o.limiter.clients.atAddress(client), 'queries');
  };
  const plainEnds = createPlainEnds(o.writeTimeoutMs);
  const take = (socket: Socket, portBounds: PortBounds, tls: PortTls | undefined) => {
    const client = plainAddress(socket.remoteAddress ?? '');
    const connection = createPortConnection(socket);
    const refusal = refusalOf(client, connection, portBounds);
    if (refusal !== undefined) {
      dropped(refusal.reason);
      if (refusal.reason !== 'blocked') countConnection(client);
      socket.on('error', () => {});
      // Nothing of it is read, so it closes as soon as the notice is sent. Before a handshake there can be none.
      if (tls === undefined) socket.end(refusal.notice, () => socket.destroy());
      else socket.destroy();
      return;
    }
    opened(connection);
    let hasQueried = false;
    let leaveQueries: (() => void) | undefined;
    const dialect: Dialect = (line, state, requester) => {
      leaveQueries ??= takeSlot(queryBounds, connection);
      if (leaveQueries === undefined) {
        dropped('client');
        return { body: o.notices.tooManyConnections(o.connectionsPerClient), state: { ...state, staysOpen: false } };
      }
      hasQueried = true;
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
      const spoken = tls === undefined ? socket : await securedBy(tls, socket, connection, o.turns);
      if (spoken === undefined) return;
      const remainder = await serveConnection(spoken, { ...o, ...own });
      if (remainder === undefined) return;
      hasQueried = true;
      leaveQueries?.();
      try {
        if (tls === undefined) connection.servedBy(o.index.handOver({ ...remainder, socket, client }));
        else o.index.handOver({ ...remainder, socket: await plainEnds.plainEndOf(spoken), client });
      } catch (error) {
        onFault(error);
        linger(spoken);
      }
    };
    // Lines are counted themselves.
    void connection.closed.then(() => hasQueried || countConnection(client));
    open.set(
      connection,
      Promise.all([serve(), connection.closed]).then(() => void open.delete(connection)),
    );
  };
  const serverOf = (portBounds: PortBounds, tls?: PortTls) => {
    const server = createServer({ allowHalfOpen: true, noDelay: true, ...keepAlive }, (socket) =>
      take(socket, portBounds, tls),
    );
    if (proxies !== undefined) readProxyHeaders(server, proxies, () => dropped('header'));
    return server;
  };
  const server = serverOf(bounds.port(o.connections));
  const tlsServer = o.tls && serverOf(bounds.port(Math.min(o.connections, maxTlsConnections)), o.tls);
  return {
    /** The port, after `start`. */
    port: (): number => portOf(server),
    /** The port with TLS, after `start`; undefined without one. */
    tlsPort: (): number | undefined => tlsServer && portOf(tlsServer),
    async start() {
      await listen(server, o.port, o.bindAddress);
      logger.info({ port: portOf(server) }, 'listening');
      if (o.tls === undefined || tlsServer === undefined) return;
      await plainEnds.start();
      await listen(tlsServer, o.tls.port, o.bindAddress);
      logger.info({ port: portOf(tlsServer) }, 'listening with TLS');
    },
    async stop() {
      stopping.abort();
      const late = setTimeout(() => {
        for (const connection of open.keys()) connection.destroy();
      }, o.drainMs);
      // Its callback never comes if a process with sockets of the server has ended.
      for (const one of [server, tlsServer]) one?.close();
      await Promise.all(open.values());
      clearTimeout(late);
      if (tlsServer !== undefined) await plainEnds.stop();
      o.tls?.stop();
    },
  };
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}

async function listen(server: Server, port: number, host: string | undefined): Promise<void> {
  server.listen({ port, ...(host !== undefined && { host }) });
  await once(server, 'listening');
}

/**
 * The connection after its handshake; undefined when there is none. A handshake takes a millisecond or two: each
 * network makes one in its turn, so that many connections do not hold up the queries of others.
 */
async function securedBy(
  tls: PortTls,
  socket: Socket,
  connection: PortConnection,
  turns: LoopTurns,
): Promise<Socket | undefined> {
  socket.on('error', () => {});
  await turns.next(networksOf(plainAddress(connection.remoteAddress ?? '')).prefix);
  if (socket.destroyed) return undefined;
  const secured = await tls.secure(socket);
  if (secured === undefined) return undefined;
  // Node.js does not count what TLS writes as bytes of the socket below it.
  connection.servedBy({
    get carriedBytes() {
      return secured.bytesRead + secured.bytesWritten;
    },
    closed: connection.closed,
    destroy: () => void secured.destroy(),
  });
  return secured;
}

/**
 * Takes a slot among the connections with RIPE-style queries until the connection is closed, or the returned function
 * is called; undefined when the client has no more.
 */
function takeSlot(bounds: PortBounds, { remoteAddress, closed }: PortConnection): (() => void) | undefined {
  const admitted = bounds.admit({ remoteAddress, bytesRead: 0, bytesWritten: 0, destroy() {} });
  if (typeof admitted === 'string') return undefined;
  void closed.then(admitted);
  return admitted;
}
