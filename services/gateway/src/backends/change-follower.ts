import { type ChangeLog, watchChanges } from '@cadastre/changes';
import type { ChangeFeedServiceService, ObjectReaderServiceService, WatchResponse } from '@cadastre/proto/objects';
import {
  keepTryingService,
  type Logger,
  logStreamFailure,
  type Metrics,
  type Pauses,
  type RpcClient,
  type Service,
  toServiceError,
} from '@cadastre/service';
import { Gauge } from 'prom-client';
import { type LookupCache, storedName } from './lookup-cache.js';

export interface FollowerOptions {
  readonly reader: Pick<RpcClient<typeof ObjectReaderServiceService>, 'listSources'>;
  readonly feed: Pick<RpcClient<typeof ChangeFeedServiceService>, 'watch'>;
  readonly cache: LookupCache;
  /** Receives the position of each source. */
  readonly changeLog: Pick<ChangeLog, 'forget' | 'reached'>;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** A feed that is silent for longer counts as broken; it sends an empty response every ten seconds. */
  readonly silenceMs?: number;
  /** Pauses before a broken feed is reopened. */
  readonly pauses?: Pauses;
}

/** Follows the changes of every source from `start` to `stop`: for the cache, and for change streams. */
export function createChangeFollower(o: FollowerOptions): Service {
  const followed = new Gauge({
    name: 'cadastre_change_feed_followed',
    help: 'Whether the gateway follows the changes of the source: 1, or 0 while it answers no lookup from its cache',
    labelNames: ['source'],
    registers: [o.metrics],
  });
  const setFollowed = (source: string, isFollowed: boolean) => {
    o.cache.setFollowed(source, isFollowed);
    followed.set({ source }, isFollowed ? 1 : 0);
  };
  return keepTryingService({
    work: (signal, succeeded) => followAll({ ...o, setFollowed }, succeeded, signal),
    onFailure(error, _pauseMs, failures) {
      const facts = { reason: toServiceError(error).kind };
      const broken = 'change feed broken: no caching';
      logStreamFailure(o.logger, { failures, facts, stream: 'change feed', broken });
    },
    pauses: o.pauses,
  });
}

interface Following extends FollowerOptions {
  readonly setFollowed: LookupCache['setFollowed'];
}

/** Follows all sources. When one feed breaks, reopens all, because there may be new sources. */
async function followAll(o: Following, onResponse: () => void, stopping: AbortSignal): Promise<void> {
  const round = new AbortController();
  const signal = AbortSignal.any([stopping, round.signal]);
  const { sources } = await o.reader.listSources({}, { signal });
  const feeds = sources.map((source) => followSource(o, source.name, onResponse, signal));
  await Promise.race(feeds).finally(() => round.abort());
}

/** Throws when the feed ends, fails or falls silent. */
async function followSource(o: Following, source: string, onResponse: () => void, signal: AbortSignal): Promise<void> {
  const wanted = { source, from: 'now', keysOnly: true, maySkip: true, signal, silenceMs: o.silenceMs } as const;
  o.changeLog.forget(source);
  try {
    for await (const response of watchChanges(o.feed, wanted)) {
      if (response.skipped) o.setFollowed(source, false);
      applyChanges(o.cache, response);
      o.cache.reached(source, response.serial);
      o.changeLog.reached(source, response.serial);
      o.setFollowed(source, true);
      onResponse();
    }
  } finally {
    o.setFollowed(source, false);
  }
}

function applyChanges(cache: LookupCache, { changes }: WatchResponse): void {
  for (const { object } of changes) {
    if (object) cache.invalidate(storedName(object));
  }
}
