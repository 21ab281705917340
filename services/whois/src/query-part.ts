import { readSourceAliases, sourceNames } from '@cadastre/query';
import { chooseRoutePolicy } from '@cadastre/roa';
import { createLookupBatcher, createOpenSearch } from '@cadastre/searches';
import {
  type AddressList,
  createLoopTurns,
  type Logger,
  type LoopTurns,
  type Metrics,
  packageVersion,
  readAddressList,
  type Service,
  SettingsError,
} from '@cadastre/service';
import { type Backends, type Context, namesOf, type Sources } from './context.js';
import { type ConnectionState, type Dialect, type Notices, newIrrdState } from './dialect.js';
import { queryDialect } from './dialects.js';
import { createLimits } from './limits.js';
import { createJournals } from './nrtm/journals.js';
import { nrtmDialect } from './nrtm/nrtm-dialect.js';
import { createStreamSlots, registerNrtmMetrics } from './nrtm/streams.js';
import { type MeasureQueries, registerQueryMetrics } from './query-metrics.js';
import { createDifferences } from './ripe/differences.js';
import { createFrame, createNotices } from './ripe/frame.js';
import { ripeDialect } from './ripe/ripe-dialect.js';
import { createSearchSlots } from './search-slots.js';
import { readRoutePreference } from './sets/hidden-routes.js';
import { chooseRoaSource } from './sets/roa-routes.js';
import type { WhoisSettings } from './settings.js';

/** Answers the lines that do not need the set index, from `start` to `stop`. Each process has one. */
export interface QueryPart extends Service {
  readonly context: Context;
  /** Answers RIPE-style queries and requests for changes. */
  readonly dialect: Dialect;
  /** Measures the answers of other dialects. */
  readonly measure: MeasureQueries;
  readonly notices: Notices;
  /** The proxies that may name their client. */
  readonly proxies: AddressList;
  readonly turns: LoopTurns;
  /** The state of a new connection. */
  readonly initial: ConnectionState;
  /** Maximum time for a client to read the sent bytes, in milliseconds. */
  readonly writeTimeoutMs: number;
}

interface QueryPartOptions {
  readonly settings: WhoisSettings;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly backends: Backends;
}

/** The timeouts of the RIPE whois server. */
const idleMs = 180_000;
const writeTimeoutMs = 180_000;

const lookupBounds = { size: 100, callsInFlight: 4, deadlineMs: 10_000 };

/** Maximum waits for the first objects and for all. */
const searchBounds = { firstPageMs: 15_000, wholeMs: 10 * 60_000 };

/** Makes it. Throws a SettingsError. */
export function createQueryPart({ settings, logger, metrics, backends }: QueryPartOptions): QueryPart {
  const sources = sourcesOf(settings);
  const limits = createLimits({ settings, backends, logger, metrics });
  const differences = createDifferences();
  const roaSource = chooseRoaSource(settings.roaSource, sources);
  const context: Context = {
    sources,
    roaSource,
    backends,
    limiter: limits.limiter,
    lookUp: createLookupBatcher(backends.reader, lookupBounds),
    openSearch: createOpenSearch(backends.search, searchBounds),
    differences,
    searches: createSearchSlots(),
    routePreference: readRoutePreference(settings.routePreference, namesOf(sources)),
    routePolicy: chooseRoutePolicy(settings, sources.main, namesOf(sources)),
    journals: createJournals({
      main: sources.main,
      ...backends,
      followers: readAddressList('CADASTRE_WHOIS_NRTM_CLIENTS', settings.nrtmClients),
    }),
    version: packageVersion(import.meta.url),
    logger,
  };
  const frame = createFrame({ ...settings, source: sources.main, version: context.version });
  const notices = createNotices(frame);
  const proxies = readAddressList('CADASTRE_TRUSTED_PROXIES', settings.trustedProxies);
  const measure = registerQueryMetrics(metrics);
  const nrtm = nrtmDialect(context, {
    ...{ frame, slots: createStreamSlots(), metrics: registerNrtmMetrics(metrics) },
    charset: settings.nrtmCharset,
  });
  return {
    context,
    dialect: queryDialect(measure('nrtm', nrtm), measure('ripe', ripeDialect(context, { frame, proxies }))),
    measure,
    notices,
    proxies,
    turns: createLoopTurns(),
    initial: initialState(defaultSources(settings, sources, roaSource), notices),
    writeTimeoutMs,
    start: () => limits.start(),
    async stop() {
      await limits.stop();
      await differences.close();
    },
  };
}

function sourcesOf({ source, grsSources, sourceAliases }: WhoisSettings): Sources {
  const main = source.toUpperCase();
  const mirrors = grsSources.map((name) => name.toUpperCase()).filter((name) => name !== main);
  return { main, mirrors, aliases: readSourceAliases(sourceAliases, { main, mirrors }) };
}

function defaultSources(
  { defaultSources: chosen }: WhoisSettings,
  sources: Sources,
  roaSource: string | undefined,
): readonly string[] {
  const names = chosen.map((name) => name.toUpperCase());
  const known = [...namesOf(sources), ...(roaSource === undefined ? [] : [roaSource])];
  const unknown = sourceNames(names, sources).filter((name) => !known.includes(name));
  if (unknown.length > 0) throw new SettingsError([`CADASTRE_WHOIS_SOURCES: unknown source ${unknown.join(', ')}`]);
  if (names.join(',').length > maxSourcesBytes) {
    throw new SettingsError([`CADASTRE_WHOIS_SOURCES: longer than ${maxSourcesBytes} characters`]);
  }
  return names.length === 0 ? known.slice(0, 1) : names;
}

/** bgpq4 reads 255 bytes of the answer to `!s-lc`, including the length before the sources and the end after them. */
const maxSourcesBytes = 255 - 'A248\n\nC\n'.length;

function initialState(sources: readonly string[], notices: Notices): ConnectionState {
  return {
    staysOpen: false,
    idle: { ms: idleMs, farewell: notices.idle() },
    irrd: newIrrdState(sources),
  };
}
