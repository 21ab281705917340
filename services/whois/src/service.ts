import { readFileSync } from 'node:fs';
import { SetServiceService } from '@cadastre/proto/whois';
import { chooseRoa } from '@cadastre/roa';
import { createSearchBatcher } from '@cadastre/searches';
import {
  type AnswerMemory,
  createAnswerMemory,
  createExpansionPlaces,
  createLogger,
  createMetrics,
  createRpcService,
  implement,
  type Logger,
  type Metrics,
  mutualTls,
  type Pauses,
  readAddressList,
  type Service,
  SettingsError,
} from '@cadastre/service';
import { type Backends, type Context, connectBackends, type Sources } from './context.js';
import type { ConnectionState, Notices } from './dialect.js';
import { anyDialect } from './dialects.js';
import { irrdDialect } from './irrd/irrd-dialect.js';
import { newIrrdState } from './irrd/state.js';
import { createLimits } from './limits.js';
import { createListener } from './listener/listener.js';
import { createJournals } from './nrtm/journals.js';
import { nrtmDialect } from './nrtm/nrtm-dialect.js';
import { registerNrtmMetrics } from './nrtm/nrtm-metrics.js';
import { createStreamPlaces } from './nrtm/stream-places.js';
import { createDifferences } from './ripe/differences.js';
import { createFrame } from './ripe/frame.js';
import { createNotices } from './ripe/notices.js';
import { ripeDialect } from './ripe/ripe-dialect.js';
import { allowedCallers, setHandlers } from './rpc/index.js';
import { createSearchPlaces } from './search-places.js';
import type { IndexBounds } from './sets/index-budget.js';
import { invalidBy } from './sets/invalid-routes.js';
import { createSetIndex } from './sets/set-index.js';
import type { WhoisSettings } from './settings.js';
import { createTurns } from './turns.js';

/** Replacements of the usual parts in tests. */
export interface WhoisOverrides {
  readonly logger?: Logger;
  readonly metrics?: Metrics;
  readonly backends?: Backends & { close(): void };
  /** Pauses while the objects service is unavailable. */
  readonly pauses?: Pauses;
  readonly memory?: AnswerMemory;
  /** What the set index may hold. */
  readonly indexBounds?: IndexBounds;
}

/** The RIPE whois server's time-outs. */
const idleMs = 180_000;
const writeTimeoutMs = 180_000;

/** Searches per call, as many as the search service accepts; the longest waits for the first objects and for all. */
const searchBounds = { size: 100, firstPageMs: 15_000, wholeMs: 10 * 60_000 };

/**
 * Makes the whois service; `address` (gRPC: expansions) and `port` (whois) are known after `start`.
 */
export async function createWhoisService(
  settings: WhoisSettings,
  overrides: WhoisOverrides = {},
): Promise<Service & { address(): string; port(): number }> {
  const logger = overrides.logger ?? createLogger({ service: 'whois', level: settings.logLevel });
  const metrics = overrides.metrics ?? createMetrics('whois');
  const tls = mutualTls(settings, { logger, metrics });
  const backends = overrides.backends ?? connectBackends(settings, { tls, metrics });
  const sources = sourcesOf(settings);
  const roa = chooseRoa(settings, { service: 'whois', logger, metrics, onChange: () => index.judge() });
  const filtersInvalid = settings.roaSource !== undefined;
  const index = createSetIndex({
    sources,
    backends,
    isInvalid: invalidBy(roa.current),
    awaitsJudgement: filtersInvalid,
    logger,
    metrics,
    pauses: overrides.pauses,
    bounds: overrides.indexBounds,
  });
  const limits = createLimits({ settings, backends, logger, metrics });
  const { limiter } = limits;
  const searches = createSearchPlaces();
  const journals = createJournals({
    main: sources.main,
    ...backends,
    followers: readAddressList('CADASTRE_WHOIS_NRTM_CLIENTS', settings.nrtmClients),
  });
  const differences = createDifferences();
  const context: Context = {
    differences,
    ...{ sources, backends, limiter, roa, filtersInvalid, searches, journals, version: version(), logger },
    openSearch: createSearchBatcher(backends.search, searchBounds),
  };
  const clientOf = (address: string) => limiter.clients.atAddress(address).id;
  const turns = createTurns();
  const parts = {
    index,
    memory: overrides.memory ?? createAnswerMemory(),
    places: createExpansionPlaces(),
    turns,
    clientOf,
    maxMembers: settings.expansionMembers,
  };
  const frame = createFrame({ ...settings, source: sources.main, version: context.version });
  const notices = createNotices(frame);
  const proxies = readAddressList('CADASTRE_WHOIS_PROXIES', settings.proxies);
  const ripe = ripeDialect(context, { frame, proxies });
  const nrtm = nrtmDialect(context, { frame, places: createStreamPlaces(), metrics: registerNrtmMetrics(metrics) });
  const { proxyProtocolFrom } = settings;
  const listener = createListener({
    ...settings,
    limiter,
    unlimited: readAddressList('CADASTRE_WHOIS_UNLIMITED_NETWORKS', settings.unlimitedNetworks),
    proxies:
      proxyProtocolFrom.length === 0
        ? undefined
        : readAddressList('CADASTRE_WHOIS_PROXY_PROTOCOL_FROM', proxyProtocolFrom),
    dialect: anyDialect({ irrd: irrdDialect(context, parts), nrtm, ripe, proxies, limiter }),
    turns,
    notices,
    initial: initialState(defaultSources(settings, index.names), notices),
    writeTimeoutMs,
    drainMs: settings.drain,
    logger,
    metrics,
  });
  const service = createRpcService({
    name: 'whois',
    settings,
    logger,
    metrics,
    tls,
    implementations: [implement(SetServiceService, setHandlers(parts))],
    allowedCallers,
    checks: { sets: index.check, ...(filtersInvalid ? { roas: index.checkRoas } : {}) },
    prepare: async () => {
      await limits.start();
      await roa.start();
      await index.start();
      await listener.start();
    },
    drain: () => listener.stop(),
    release: async () => {
      await roa.stop();
      await index.stop();
      await limits.stop();
      await differences.close();
      backends.close();
    },
  });
  return { ...service, port: listener.port };
}

function sourcesOf({ source, grsSources }: WhoisSettings): Sources {
  const main = source.toUpperCase();
  return { main, mirrors: grsSources.map((name) => name.toUpperCase()).filter((name) => name !== main) };
}

function defaultSources({ defaultSources: chosen }: WhoisSettings, known: readonly string[]): readonly string[] {
  const names = chosen.map((name) => name.toUpperCase());
  const unknown = names.filter((name) => !known.includes(name));
  if (unknown.length > 0) throw new SettingsError([`CADASTRE_WHOIS_SOURCES: unknown source ${unknown.join(', ')}`]);
  if (names.join(',').length > mostSourcesBytes) {
    throw new SettingsError([`CADASTRE_WHOIS_SOURCES: longer than ${mostSourcesBytes} characters`]);
  }
  return names.length === 0 ? known.slice(0, 1) : names;
}

/** bgpq4 reads 255 bytes of the answer to `!s-lc`, with the length before the sources and the end after them. */
const mostSourcesBytes = 255 - 'A248\n\nC\n'.length;

function initialState(sources: readonly string[], notices: Notices): ConnectionState {
  return {
    staysOpen: false,
    idle: { ms: idleMs, farewell: notices.idle() },
    irrd: newIrrdState(sources),
  };
}

function version(): string {
  return JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')).version;
}
