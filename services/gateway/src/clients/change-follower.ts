import { setTimeout as delay } from 'node:timers/promises';
import type { ChangeFeedServiceService, ObjectReaderServiceService, WatchResponse } from '@cadastre/proto/objects';
import { type Logger, type RpcClient, type Service, toServiceError } from '@cadastre/service';
import { type LookupCache, storedName } from './lookup-cache.js';

/** What is needed to follow changes. */
export interface FollowerOptions {
  readonly reader: Pick<RpcClient<typeof ObjectReaderServiceService>, 'listSources'>;
  readonly feed: RpcClient<typeof ChangeFeedServiceService>;
  readonly cache: LookupCache;
  readonly logger: Logger;
  /** A feed that is silent for longer is taken for broken; it gives a sign of life every ten seconds. */
  readonly silenceMs?: number;
  /** Pause before a broken feed is opened again. */
  readonly retryMs?: number;
}

/** Takes out of the cache what changes, in every source, for as long as it runs. */
export function createChangeFollower(o: FollowerOptions): Service {
  const stopping = new AbortController();
  let running: Promise<void> = Promise.resolve();
  return {
    start: async () => {
      running = followAll(o, stopping.signal);
    },
    stop: async () => {
      stopping.abort();
      await running;
    },
  };
}

/** Follows all sources together; when one feed breaks, all are opened again, for there may be new sources. */
async function followAll(o: FollowerOptions, stopping: AbortSignal): Promise<void> {
  while (!stopping.aborted) {
    const round = new AbortController();
    const signal = AbortSignal.any([stopping, round.signal]);
    let followed = false;
    const onResponse = () => {
      followed = true;
    };
    try {
      const { sources } = await o.reader.listSources({}, { signal });
      const feeds = sources.map((source) => followSource(o, source.name, onResponse, signal));
      await Promise.race(feeds).finally(() => round.abort());
    } catch (error) {
      // Connections between services end every few minutes: that a feed ends which was followed is no news.
      const level = followed ? 'info' : 'warn';
      if (!stopping.aborted) o.logger[level]({ reason: toServiceError(error).kind }, 'change feed broken: no caching');
    }
    await delay(o.retryMs ?? 1_000, undefined, { signal: stopping }).catch(() => {});
  }
}

/** Returns or throws when the feed ends, fails or falls silent. */
async function followSource(
  o: FollowerOptions,
  source: string,
  onResponse: () => void,
  stopping: AbortSignal,
): Promise<void> {
  const silence = new AbortController();
  const timer = setTimeout(() => silence.abort(), o.silenceMs ?? 25_000);
  const signal = AbortSignal.any([stopping, silence.signal]);
  try {
    const request = { source, afterSerial: 0n, keysOnly: true, fromNow: true, latestOnly: false };
    for await (const response of o.feed.watch(request, { signal })) {
      timer.refresh();
      applyChanges(o.cache, response);
      o.cache.follow(source, true);
      onResponse();
    }
  } finally {
    clearTimeout(timer);
    o.cache.follow(source, false);
  }
}

function applyChanges(cache: LookupCache, { changes }: WatchResponse): void {
  for (const { object } of changes) {
    if (object) cache.invalidate(storedName(object));
  }
}
