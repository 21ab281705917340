import { ServiceError } from '@cadastre/service';
import { Client, errors } from '@opensearch-project/opensearch';
import { type Attempt, createSender, NodePool, pingTimeoutMs, type SendOptions } from './node-pool.js';

/** Connection options of an OpenSearch cluster. */
export interface ClusterOptions {
  /**
   * URL of one or more nodes, http or https, with user and password if there are any. Requests take turns; when a node cannot serve, or a read gets no response
   * within half a second, the request goes to another one, and the node gets none until it responds to a ping.
   */
  readonly url: string | readonly string[];
  /** PEM: the CA of the cluster's certificates (default: the system's CAs), and our certificate, if it requires one. */
  readonly tls?: TlsFiles | undefined;
  /**
   * Timeout of a read in milliseconds; default 30 s. A write gets twice as long at each node, because the cluster needs
   * more than 30 s to replace a copy that hangs.
   */
  readonly timeoutMs?: number;
}

export interface TlsFiles {
  readonly ca?: Buffer | undefined;
  readonly cert?: Buffer | undefined;
  readonly key?: Buffer | undefined;
}

export interface ClusterRequest {
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number | boolean>>;
  readonly body?: object;
  /** The body of a bulk request: lines of JSON. */
  readonly lines?: readonly string[];
  readonly signal?: AbortSignal;
}

/** Sends requests; returns undefined when the requested thing does not exist (status 404). */
export type Cluster = ReturnType<typeof connectCluster>;

/** Maximum nodes that have the same read concurrently. */
const nodesPerRead = 3;

/** Maximum nodes that get a write, one after the other. */
const nodesPerWrite = 4;

/**
 * Parameter of reads: a node that has a copy of a shard reads that one, so that other nodes that hang do not matter.
 */
export const localCopy = { preference: '_local' };

/** What a search may have of an index: the alias, which may not exist. */
export interface SearchTarget {
  readonly cluster: Cluster;
  readonly alias: string;
  readonly signal?: AbortSignal;
}

/** Parameters of a search: partial results are an error. */
export const wholeResult = { ...localCopy, allow_partial_search_results: false };

/** One search; undefined when its alias does not exist. */
export async function searchIn<Answer>(
  { cluster, alias, signal }: SearchTarget,
  body: object,
): Promise<Answer | undefined> {
  const request = { method: 'POST', path: `/${alias}/_search`, query: wholeResult, body } as const;
  const answer = await cluster.read<Answer & { timed_out: boolean }>({ ...request, ...(signal && { signal }) });
  if (answer?.timed_out) throw unavailable('a shard timed out');
  return answer;
}

export function connectCluster(o: ClusterOptions) {
  const { timeoutMs = 30_000 } = o;
  const client = new Client({
    nodes: typeof o.url === 'string' ? o.url : [...o.url],
    ConnectionPool: NodePool,
    pingTimeout: pingTimeoutMs,
    maxRetries: nodesPerWrite - 1,
    ...(o.tls ? { ssl: o.tls } : {}),
  });
  const sender = createSender(client.connectionPool as NodePool);
  const send = async <T>(
    request: ClusterRequest,
    { requestTimeout, ...limits }: Omit<SendOptions, 'signal'> & { requestTimeout: number },
  ): Promise<T | undefined> => {
    const { signal } = request;
    signal?.throwIfAborted();
    try {
      const begin = (id: Attempt) => client.transport.request(paramsOf(request), { ignore: [404], id, requestTimeout });
      const { statusCode, body } = await sender(begin, { ...limits, signal });
      return statusCode === 404 ? undefined : (body as T);
    } catch (error) {
      signal?.throwIfAborted();
      throw failure(error);
    }
  };
  const read = { nodes: nodesPerRead, timeoutMs, requestTimeout: timeoutMs };
  const write = { nodes: 1, timeoutMs: nodesPerWrite * 2 * timeoutMs, requestTimeout: 2 * timeoutMs };
  return {
    /** A request that changes nothing: several nodes may get it concurrently. */
    read: <T>(request: ClusterRequest): Promise<T | undefined> => send(request, read),
    /** Several nodes may execute it, one after the other. */
    write: <T>(request: ClusterRequest): Promise<T | undefined> => send(request, write),
    close: (): Promise<void> => client.close(),
  };
}

/** The client changes its parameters. */
function paramsOf({ method, path, query = {}, body, lines }: ClusterRequest) {
  return {
    method,
    path,
    querystring: query,
    ...(body ? { body } : {}),
    ...(lines ? { bulkBody: lines.map((line) => `${line}\n`).join('') } : {}),
  };
}

/**
 * An unavailable, overloaded or read-only cluster may recover soon; everything else is a defect. A node that cannot reach
 * the one with the shard responds with status 500.
 */
function failure(error: unknown): unknown {
  const status = error instanceof errors.ResponseError ? error.statusCode : undefined;
  const existed =
    error instanceof errors.ResponseError && error.message.startsWith('resource_already_exists_exception');
  if (status === 409 || existed) {
    return new ServiceError('conflict', 'The search index was changed concurrently', { cause: error });
  }
  if (error instanceof errors.TimeoutError) {
    return new ServiceError('timeout', 'The search index timed out', { cause: error });
  }
  const away = error instanceof errors.ConnectionError || error instanceof errors.NoLivingConnectionsError;
  if (away || status === 429 || (status !== undefined && status >= 500)) return unavailable(error);
  return error;
}

export function unavailable(cause: unknown): ServiceError {
  return new ServiceError('unavailable', 'The search index is not available', { cause });
}
