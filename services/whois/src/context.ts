import type { Limiter } from '@cadastre/limits';
import { AuthenticationServiceService } from '@cadastre/proto/auth';
import { MirrorServiceService } from '@cadastre/proto/mirror';
import { ChangeFeedServiceService, ObjectReaderServiceService } from '@cadastre/proto/objects';
import { SearchServiceService } from '@cadastre/proto/search';
import type { KnownSources } from '@cadastre/query';
import type { RoutePolicy, ShowRoute } from '@cadastre/roa';
import { isNonAuthoritative, nonAuthoritativeName, parseObject } from '@cadastre/rpsl';
import type { LookUp, OpenSearch } from '@cadastre/searches';
import { type Logger, openPeer, type PeerOptions, type RpcClient } from '@cadastre/service';
import type { Journals } from './nrtm/journals.js';
import type { Differences } from './ripe/differences.js';
import type { SearchSlots } from './search-slots.js';
import type { WhoisSettings } from './settings.js';

/** The services that provide the data of answers. */
export interface Backends {
  readonly reader: Pick<
    RpcClient<typeof ObjectReaderServiceService>,
    'batchLookup' | 'batchLookupPast' | 'listVersions' | 'getVersion' | 'exportObjects' | 'listSources'
  >;
  readonly feed: Pick<RpcClient<typeof ChangeFeedServiceService>, 'watch'>;
  readonly search: Pick<RpcClient<typeof SearchServiceService>, 'search' | 'searchFirstPage'>;
  /** Reports the operator's blocks. */
  readonly auth: Pick<RpcClient<typeof AuthenticationServiceService>, 'watchCredentials'>;
  /** The sessions of copies and publications; undefined when no mirror service runs. */
  readonly mirrors?: Pick<RpcClient<typeof MirrorServiceService>, 'listMirrors' | 'listPublications'> | undefined;
}

/** The sources of the registry, in upper case. */
export type Sources = KnownSources;

/** Names of all sources: the main one with its non-authoritative part first. */
export function namesOf({ main, mirrors }: Sources): readonly string[] {
  return [main, nonAuthoritativeName(main), ...mirrors];
}

/** Makes the test whether the text of an object of the main source belongs to its non-authoritative part. */
export function foreignTo(main: string): (text: string) => boolean {
  const foreignName = nonAuthoritativeName(main);
  return (text) => {
    if (!text.toUpperCase().includes(foreignName)) return false;
    const parsed = parseObject(text);
    return parsed.ok && isNonAuthoritative(parsed.object, main);
  };
}

/** The dependencies of the dialects; query-part.ts creates it. */
export interface Context {
  readonly sources: Sources;
  /** The name of the source of routes that are made from ROAs, which only IRRd-style commands and expansions have. */
  readonly roaSource: string | undefined;
  readonly backends: Backends;
  /** The limits of clients, which the REST interface shares. */
  readonly limiter: Limiter;
  /** Looks up an object; the lookups of all clients share calls, of which few run: an answer may have 2 MiB. */
  readonly lookUp: LookUp;
  /** Calls the search service; the searches of all clients share its calls. */
  readonly openSearch: OpenSearch;
  /** Compares versions. */
  readonly differences: Differences;
  /** The searches of all clients. */
  readonly searches: SearchSlots;
  /** What answers do with routes that ROAs make invalid, by the names of sources. */
  readonly routePolicy: RoutePolicy;
  /** Sources in upper case: lists leave out their routes that overlap a route of a source before them. */
  readonly routePreference: readonly string[];
  /** The changes that clients may follow. */
  readonly journals: Journals;
  /** Version of this program. */
  readonly version: string;
  readonly logger: Logger;
}

/** The dependencies of IRRd-style commands. */
export interface IrrdContext extends Context {
  /** Decides which routes an answer shows. */
  readonly showRoute: ShowRoute;
}

const deadlineMs = 10_000;

/** Clients that connect on the first call. */
export function connectBackends(
  addresses: Pick<WhoisSettings, 'objectsAddress' | 'searchAddress' | 'authAddress' | 'mirrorAddress'>,
  around: Pick<PeerOptions, 'tls' | 'metrics'>,
): Backends & { close(): void } {
  const at = (address: string) => openPeer({ ...around, address });
  const objects = at(addresses.objectsAddress);
  const search = at(addresses.searchAddress);
  const auth = at(addresses.authAddress);
  const mirror = addresses.mirrorAddress === undefined ? undefined : at(addresses.mirrorAddress);
  const endless = { deadlineMs: Number.POSITIVE_INFINITY };
  const reader = objects.client(ObjectReaderServiceService, { deadlineMs });
  const { exportObjects } = objects.client(ObjectReaderServiceService, endless);
  return {
    reader: { ...reader, exportObjects },
    feed: objects.client(ChangeFeedServiceService, endless),
    search: search.client(SearchServiceService, { deadlineMs: 60_000 }),
    auth: auth.client(AuthenticationServiceService, { deadlineMs }),
    mirrors: mirror?.client(MirrorServiceService, { deadlineMs }),
    close() {
      for (const peer of [objects, search, auth, mirror]) peer?.close();
    },
  };
}
