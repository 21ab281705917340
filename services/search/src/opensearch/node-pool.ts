import { type Connection, ConnectionPool } from '@opensearch-project/opensearch';

/** A node that failed gets no requests for this long, and then only after it has responded to a ping. */
const leftOutMs = 2_000;

/** Timeout of a ping. */
export const pingTimeoutMs = 1_000;

/**
 * One attempt to send a request, which the client passes on as the identifier of the request. `asked` are all nodes
 * that got the request in this attempt or an earlier one.
 */
export interface Attempt {
  readonly requested: Set<Connection>;
  /** The node that has the request. */
  node?: Connection;
}

/**
 * Nodes take turns; those that failed are skipped while others are alive. The client's own pool skips a node for a
 * minute, doubles that for each request that failed meanwhile, and then sends it one ping per arriving request.
 */
export class NodePool extends ConnectionPool {
  override resurrectTimeout = leftOutMs;
  override resurrectTimeoutCutoff = 0;
  #isPinging = false;

  /** A node that has not got the request yet, if there is one, and that is alive, if possible. */
  override getConnection(choice?: Parameters<ConnectionPool['getConnection']>[0]): Connection | null {
    const attempt = choice?.requestId as unknown as Attempt;
    const { requested } = attempt;
    const isNew = (node: Connection) => !requested.has(node);
    const node =
      requested.size === 0 || requested.size === this.size
        ? super.getConnection(choice)
        : (super.getConnection({ ...choice, filter: isNew }) ?? this.#longestDead(isNew));
    if (node === null) return null;
    attempt.node = node;
    requested.add(node);
    return node;
  }

  #longestDead(isNew: (node: Connection) => boolean): Connection | null {
    const [node] = this.connections.filter(isNew).sort((one, other) => one.resurrectTimeout - other.resurrectTimeout);
    return node ?? null;
  }

  /** Pings one node at a time. One that does not respond loses its connections: its requests go to other nodes. */
  override resurrect(...[options, done]: Parameters<ConnectionPool['resurrect']>): void {
    if (this.#isPinging || this.dead.length === 0) return;
    this.#isPinging = true;
    super.resurrect(options, (isAlive, node) => {
      this.#isPinging = false;
      if (isAlive === false && this.size > 1) node!.agent.destroy();
      done?.(isAlive, node);
    });
  }
}
