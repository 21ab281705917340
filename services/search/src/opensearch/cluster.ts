import { ServiceError } from '@cadastre/service';
import { Client, errors } from '@opensearch-project/opensearch';

/** Connection options of an OpenSearch cluster. */
export interface ClusterOptions {
  /**
   * URL of one or more nodes, http or https. Requests take turns; when a node does not respond, or cannot serve, the
   * request goes to another one, and the node gets none until it responds again.
   */
  readonly url: string | readonly string[];
  /** Who we are by a password; default: as the URLs say (http://user:password@host). */
  readonly auth?: { readonly username: string; readonly password: string } | undefined;
  /** PEM: the CA of the cluster's certificates (default: the system's CAs), and our certificate, if it requires one. */
  readonly tls?: TlsFiles | undefined;
  /** Timeout of one request in milliseconds; default 30 s. */
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
export interface Cluster {
  send<T>(request: ClusterRequest): Promise<T | undefined>;
  close(): Promise<void>;
}

export function connectCluster(o: ClusterOptions): Cluster {
  const client = new Client({
    nodes: typeof o.url === 'string' ? o.url : [...o.url],
    requestTimeout: o.timeoutMs ?? 30_000,
    ...(o.auth ? { auth: o.auth } : {}),
    ...(o.tls ? { ssl: o.tls } : {}),
  });
  return { send: (request) => send(client, request), close: () => client.close() };
}

async function send<T>(client: Client, request: ClusterRequest): Promise<T | undefined> {
  request.signal?.throwIfAborted();
  const { method, path, query = {}, body, lines } = request;
  const params = {
    method,
    path,
    querystring: query,
    ...(body ? { body } : {}),
    ...(lines ? { bulkBody: lines.map((line) => `${line}\n`).join('') } : {}),
  };
  const answer = client.transport.request(params, { ignore: [404] });
  const abort = () => answer.abort();
  request.signal?.addEventListener('abort', abort, { once: true });
  try {
    const { statusCode, body: found } = await answer;
    return statusCode === 404 ? undefined : (found as T);
  } catch (error) {
    request.signal?.throwIfAborted();
    throw failure(error);
  } finally {
    request.signal?.removeEventListener('abort', abort);
  }
}

/** An unavailable, overloaded or read-only cluster may recover soon; everything else is a defect. */
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
  if (away || status === 429 || (status !== undefined && status >= 502)) return unavailable(error);
  return error;
}

export function unavailable(cause: unknown): ServiceError {
  return new ServiceError('unavailable', 'The search index is not available', { cause });
}
