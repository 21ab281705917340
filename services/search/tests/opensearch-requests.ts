import diagnosticsChannel from 'node:diagnostics_channel';
import type { ClientRequest } from 'node:http';
import { expect } from 'vitest';

/** Every kind of request that the adapter sends to a cluster, except pings, as `recordRequests` names them. */
const kinds: readonly string[] = [
  'DELETE /{generation}',
  'GET /{aliases}/_alias?local',
  'GET /{alias}/_alias',
  'GET /{alias}/_doc/position?preference',
  'GET /{alias}/_doc/rebuild?preference',
  'GET /{building}/_alias',
  'GET /{everything}/_alias',
  'GET /{generations}/_alias',
  'GET /{generation}/_doc/position?preference',
  'GET /{generation}/_doc/rebuild?preference',
  'POST /_aliases',
  'POST /{alias}/_count?preference',
  'POST /{alias}/_mget?_source&preference&realtime',
  'POST /{alias}/_mget?_source_includes&preference&realtime',
  'POST /{alias}/_msearch',
  'POST /{alias}/_search?allow_partial_search_results&preference',
  'POST /{generation}/_bulk',
  'POST /{generation}/_refresh',
  'POST /{generation}/_search?allow_partial_search_results&preference',
  'PUT /{generation}',
  'PUT /{generation}/_doc/position?if_primary_term&if_seq_no',
  'PUT /{generation}/_doc/position?op_type',
  'PUT /{generation}/_doc/rebuild?if_primary_term&if_seq_no',
  'PUT /{generation}/_doc/rebuild?op_type',
];

/** The kinds of requests that this process sends to a server, from now on. */
export interface RecordedRequests {
  /** Expects that all kinds of the adapter were sent, and no others. */
  expectAll(): void;
  stop(): void;
}

/** Names the requests to a server by method, kind of index, and parameters, on which permissions depend. */
export function recordRequests(url: string): RecordedRequests {
  const { host } = new URL(url);
  const sent = new Set<string>();
  const record = (message: unknown): void => {
    const { request } = message as { request: ClientRequest };
    if (request.getHeader('host') === host && request.path !== '/') sent.add(kindOf(request));
  };
  diagnosticsChannel.subscribe('http.client.request.start', record);
  return {
    expectAll: () => expect([...sent].sort()).toEqual(kinds),
    stop: () => void diagnosticsChannel.unsubscribe('http.client.request.start', record),
  };
}

/** Parts of index names and their meanings (see src/opensearch/generations.ts). */
const nameParts: readonly [RegExp, string][] = [
  [/^[\w-]+\.v\*\.[\w-]+\.g-\*$/, '{everything}'],
  [/^[\w-]+\.v\d+\.[\w-]+\.g-\*$/, '{generations}'],
  [/^[\w-]+\.v\d+\.[\w-]+\.g-[\w-]+$/, '{generation}'],
  [/^[\w-]+\.v\d+\.[\w-]+\.building$/, '{building}'],
  [/^[\w-]+\.v\d+\.[\w-]+$/, '{alias}'],
  [/^[\w-]+\.v\d+\.\*$/, '{aliases}'],
];

function kindOf({ method, path }: ClientRequest): string {
  const { pathname, searchParams } = new URL(path, 'http://localhost');
  const segments = decodeURIComponent(pathname)
    .split('/')
    .map((segment) => nameParts.find(([pattern]) => pattern.test(segment))?.[1] ?? segment);
  const parameters = [...searchParams.keys()].sort().join('&');
  return `${method} ${segments.join('/')}${parameters && `?${parameters}`}`;
}
