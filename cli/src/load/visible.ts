import { setTimeout as sleep } from 'node:timers/promises';
import { ChangeFeedServiceService } from '@cadastre/proto/objects';
import { SearchServiceService } from '@cadastre/proto/search';
import { ServiceError } from '@cadastre/service';
import { findAddresses } from '../addresses.js';
import { withClient } from '../clients.js';
import { CommandFailure } from '../failure.js';
import type { Io } from '../io.js';

const longestWaitMs = 10 * 60_000;
const pollMs = 200;

/**
 * Waits until readers see everything up to a serial: the change feed has announced it, which empties caches, and the
 * search index has reached it. Does not wait for a search service without an index of the source.
 */
export async function waitUntilVisible(io: Io, source: string, serial: bigint): Promise<void> {
  await waitForFeed(io, source, serial);
  if (findAddresses(io.env).search !== undefined) await waitForSearch(io, source, serial);
}

async function waitForFeed(io: Io, source: string, serial: bigint): Promise<void> {
  await withClient(io, 'objects', ChangeFeedServiceService, async (feed) => {
    // The first message has the newest serial.
    const request = { source, afterSerial: 0n, keysOnly: true, fromNow: true, latestOnly: true };
    for await (const news of feed.watch(request, { deadlineMs: longestWaitMs })) {
      if (news.serial >= serial) return;
    }
  });
}

async function waitForSearch(io: Io, source: string, serial: bigint): Promise<void> {
  await withClient(io, 'search', SearchServiceService, async (search) => {
    const giveUp = Date.now() + longestWaitMs;
    while (Date.now() < giveUp) {
      const reached = await indexedSerial(() => search.getIndexStatus({}), source);
      if (reached === undefined || reached >= serial) return;
      await sleep(pollMs);
    }
    throw new CommandFailure(`The search index has not reached serial ${serial} of ${source} in ten minutes`);
  });
}

interface IndexStatus {
  sources: { source: string; serial: bigint }[];
}

/** The serial that search has reached; `undefined` when it has no index of the source. */
async function indexedSerial(ask: () => Promise<IndexStatus>, source: string): Promise<bigint | undefined> {
  try {
    const { sources } = await ask();
    return sources.find((one) => one.source === source.toUpperCase())?.serial;
  } catch (error) {
    if (error instanceof ServiceError && error.kind === 'unimplemented') return undefined;
    throw error;
  }
}
