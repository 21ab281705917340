/** Which client an address belongs to, and the networks around it. */
export interface ClientNetworks {
  /** The client: an IPv4 address, or the /64 of an IPv6 address. */
  readonly id: string;
  /** Networks whose clients together may have this multiple of the limit of one client. */
  readonly wider: readonly { readonly id: string; readonly times: number }[];
  /**
   * The network of which a connection is closed for others when a port is full: a /24, or the /48 of an IPv6 address.
   */
  readonly prefix: string;
}

/** Why a connection is closed: its client, a network around it, or its port has too many. */
export type TooMany = 'client' | 'port';

/** A connection of a port, such as its socket, or something else of a client that counts like one. */
export interface BoundedConnection {
  readonly remoteAddress?: string | undefined;
  readonly bytesRead: number;
  readonly bytesWritten: number;
  destroy(): unknown;
}

/** Bounds the connections of one port. */
export interface PortBounds {
  /**
   * Counts a new connection until the returned function is called, or returns why it must be closed. When the port is
   * full, closes the connection that has been idle longest, of the prefix with the most connections; unless the new
   * connection's prefix has as many.
   */
  admit(connection: BoundedConnection): (() => void) | TooMany;
  /** Number of open connections. */
  count(): number;
}

export interface ConnectionBoundsOptions {
  /** Maximum connections of a client to all ports together; infinity for none. */
  readonly perClient: number;
  /** The networks at an address; undefined for one without bounds, whose connections are never closed for others. */
  networksOf(address: string | undefined): ClientNetworks | undefined;
  /** Called when a connection was closed to make room for another one. */
  onEvicted(): void;
}

/** Makes the bounds of the ports of a process. */
export function createConnectionBounds(o: ConnectionBoundsOptions): {
  port(maxConnections: number): PortBounds;
} {
  const openOf = new Map<string, number>();
  const count = (id: string, change: number) => {
    const open = (openOf.get(id) ?? 0) + change;
    if (open === 0) openOf.delete(id);
    else openOf.set(id, open);
  };
  const hasRoom = (id: string, times: number) => (openOf.get(id) ?? 0) < times * o.perClient;

  const port = (maxConnections: number): PortBounds => {
    const byPrefix = createConnectionsByPrefix();
    let open = 0;
    const makeRoom = (prefix: string | undefined) => {
      const victim = byPrefix.idlestBeside(prefix);
      if (victim === undefined) return false;
      forget.get(victim)!();
      victim.destroy();
      o.onEvicted();
      return true;
    };
    const forget = new Map<BoundedConnection, () => void>();
    return {
      admit(connection) {
        const networks = o.networksOf(connection.remoteAddress);
        if (networks !== undefined) {
          const { id, wider } = networks;
          if (!hasRoom(id, 1) || !wider.every((one) => hasRoom(one.id, one.times))) return 'client';
        }
        if (open >= maxConnections && !makeRoom(networks?.prefix)) return 'port';
        open++;
        const ids = networks === undefined ? [] : [networks.id, ...networks.wider.map(({ id }) => id)];
        for (const id of ids) count(id, 1);
        if (networks !== undefined) byPrefix.add(networks.prefix, connection);
        const closed = () => {
          if (!forget.delete(connection)) return;
          open--;
          for (const id of ids) count(id, -1);
          if (networks !== undefined) byPrefix.remove(networks.prefix, connection);
        };
        forget.set(connection, closed);
        return closed;
      },
      count: () => open,
    };
  };
  return { port };
}

/**
 * Maximum number of busy connections to check in the search for an idle one: a flood of connections must not make it
 * costly.
 */
const maxLooks = 32;

/**
 * The connections of each prefix, and the prefixes by their number of connections, so that no step iterates over all.
 */
function createConnectionsByPrefix() {
  /** The bytes that each connection had carried at its last check; the least recently checked come first. */
  const connections = new Map<string, Map<BoundedConnection, number>>();
  const prefixesBySize = new Map<number, Set<string>>();
  let largest = 0;

  const resized = (prefix: string, from: number, to: number) => {
    const before = prefixesBySize.get(from);
    before?.delete(prefix);
    if (before?.size === 0) prefixesBySize.delete(from);
    if (to > 0) prefixesBySize.set(to, (prefixesBySize.get(to) ?? new Set()).add(prefix));
    if (to > largest || (from === largest && !prefixesBySize.has(from))) largest = to;
  };
  return {
    add(prefix: string, connection: BoundedConnection) {
      const all = connections.get(prefix) ?? new Map<BoundedConnection, number>();
      connections.set(prefix, all.set(connection, carriedBy(connection)));
      resized(prefix, all.size - 1, all.size);
    },
    remove(prefix: string, connection: BoundedConnection) {
      const all = connections.get(prefix)!;
      all.delete(connection);
      if (all.size === 0) connections.delete(prefix);
      resized(prefix, all.size + 1, all.size);
    },
    /** A connection to close of the largest prefix, if that prefix has more than this one. */
    idlestBeside(prefix: string | undefined): BoundedConnection | undefined {
      const own = prefix === undefined ? 0 : (connections.get(prefix)?.size ?? 0);
      if (largest <= own) return undefined;
      const [from] = prefixesBySize.get(largest)!;
      return idlest(connections.get(from!)!);
    },
  };
}

/** The first connection without traffic since its last check. Those with traffic move to the end. */
function idlest(connections: Map<BoundedConnection, number>): BoundedConnection {
  let looks = 0;
  for (const [connection, before] of connections) {
    const carried = carriedBy(connection);
    if (carried === before || looks === maxLooks) return connection;
    looks++;
    connections.delete(connection);
    connections.set(connection, carried);
  }
  throw new Error('A prefix without connections');
}

function carriedBy(connection: BoundedConnection): number {
  return connection.bytesRead + connection.bytesWritten;
}
