import { type Connection, ConnectionPool } from '@opensearch-project/opensearch';

/** A node that failed gets no requests for so long, and then only after it has responded to a ping. */
const leftOutMs = 2_000;

/** Timeout of a ping. */
export const pingTimeoutMs = 1_000;

/**
 * One attempt to send a request, which the client passes on as the identifier of the request. `asked` are all nodes that
 * got the request by this attempt or an earlier one.
 */
export interface Attempt {
  readonly asked: Set<Connection>;
  /** The node that has the request. */
  node?: Connection;
}

/**
 * Nodes take turns; those that failed are left out while others are alive. The client's own pool leaves a node out for a
 * minute, twice as long for each request that failed meanwhile, and then pings it once per waiting request.
 */
export class NodePool extends ConnectionPool {
  override resurrectTimeout = leftOutMs;
  override resurrectTimeoutCutoff = 0;
  #isPinging = false;

  /** Whether a node is alive that has not got the request. */
  hasOther(asked: ReadonlySet<Connection>): boolean {
    return this.connections.some((node) => node.status === 'alive' && !asked.has(node));
  }

  /** A node that has not got the request yet, if one is alive. */
  override getConnection(choice?: Parameters<ConnectionPool['getConnection']>[0]): Connection | null {
    const attempt = choice?.requestId as unknown as Attempt;
    const { asked } = attempt;
    const isRepeat = asked.size > 0 && this.hasOther(asked);
    const node = super.getConnection(isRepeat ? { ...choice, filter: (one) => !asked.has(one) } : choice);
    if (node === null) return null;
    attempt.node = node;
    asked.add(node);
    return node;
  }

  override resurrect(...[options, done]: Parameters<ConnectionPool['resurrect']>): void {
    if (this.#isPinging || this.dead.length === 0) return;
    this.#isPinging = true;
    super.resurrect(options, (isAlive, node) => {
      this.#isPinging = false;
      done?.(isAlive, node);
    });
  }
}
