import { ServiceError } from '@cadastre/service';
import { type ApiResponse, type Connection, ConnectionPool } from '@opensearch-project/opensearch';

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

/** A read goes to another node after each such time without a response. */
const nextNodeMs = 500;

/** Maximum repeats of reads in a row; afterwards one for every ten requests that got a response without a repeat. */
const maxRepeats = 32;
const repeatsPerResponse = 0.1;

/** Begins an attempt; the client sends it again when a node refuses it. */
type Begin = (attempt: Attempt) => Promise<ApiResponse> & { abort(): void };

export interface SendOptions {
  /** Maximum nodes that have the request concurrently: 1 unless it is a read. */
  readonly nodes: number;
  /** Timeout in milliseconds: ServiceError 'timeout'. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
}

export type Sender = (begin: Begin, options: SendOptions) => Promise<ApiResponse>;

/**
 * Sends a read to further nodes while none responds: the node that has it may hang, or the node that this one needs for
 * its shard. The first response counts, and nodes that had the read for longer are skipped. When all nodes are slow, it
 * repeats few reads, and because the first attempt usually gets the first response, it skips no node.
 */
export function createSender(pool: NodePool): Sender {
  let repeats = maxRepeats;
  return (begin, { nodes, timeoutMs, signal }) => {
    const { promise, resolve, reject } = Promise.withResolvers<ApiResponse>();
    const requested = new Set<Connection>();
    const running = new Map<Attempt, ReturnType<Begin>>();
    let begun = 0;
    const next = () => {
      begun++;
      const attempt: Attempt = { requested };
      const sent = begin(attempt);
      running.set(attempt, sent);
      sent.then(
        (response) => {
          if (begun === 1) repeats = Math.min(maxRepeats, repeats + repeatsPerResponse);
          for (const [slower] of running) {
            if (slower === attempt) break;
            if (slower.node !== attempt.node) pool.markDead(slower.node!);
          }
          running.delete(attempt);
          resolve(response);
        },
        (error) => {
          running.delete(attempt);
          if (running.size === 0) reject(error);
        },
      );
    };
    const abort = () => {
      for (const sent of running.values()) sent.abort();
    };
    const start = performance.now();
    const wait = () => {
      if (performance.now() - start >= timeoutMs) {
        reject(new ServiceError('timeout', 'The search index timed out'));
      } else if (begun < nodes && repeats >= 1 && requested.size < pool.size) {
        repeats--;
        next();
      }
    };
    const timer = setInterval(wait, Math.min(nextNodeMs, timeoutMs));
    signal?.addEventListener('abort', abort, { once: true });
    next();
    return promise.finally(() => {
      clearInterval(timer);
      signal?.removeEventListener('abort', abort);
      abort();
    });
  };
}
