import { setTimeout as sleep } from 'node:timers/promises';
import { ChangeFeedServiceService } from '@cadastre/proto/objects';
import { type GetIndexStatusResponse, SearchServiceService, type SourceIndexStatus } from '@cadastre/proto/search';
import { ServiceError } from '@cadastre/service';
import { findAddresses } from '../addresses.js';
import { withClient } from '../clients.js';
import { CommandFailure } from '../failure.js';
import type { Io } from '../io.js';
import { printableLine } from '../printable.js';

/** Maximum time without progress. */
const maxWaitMs = 10 * 60_000;
const pollMs = 200;
const maxReasonLength = 500;

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
    for await (const news of feed.watch(request, { deadlineMs: maxWaitMs })) {
      if (news.serial >= serial) return;
    }
  });
}

async function waitForSearch(io: Io, source: string, serial: bigint): Promise<void> {
  await withClient(io, 'search', SearchServiceService, async (search) => {
    let reached: bigint | undefined;
    let giveUp = 0;
    for (;;) {
      const index = await indexOf(() => search.getIndexStatus({}), source);
      if (index === undefined || index.serial >= serial) return;
      const now = performance.now();
      if (index.serial !== reached || isBuilding(index)) giveUp = now + maxWaitMs;
      if (now > giveUp) throw new CommandFailure(describeStandstill(index, serial));
      reached = index.serial;
      await sleep(pollMs);
    }
  });
}

/** Whether a replica builds the index; that of ten million objects takes longer than any wait without progress. */
function isBuilding({ rebuilding, rebuild }: SourceIndexStatus): boolean {
  return rebuilding && rebuild?.failure === '';
}

function describeStandstill({ source, serial, rebuild }: SourceIndexStatus, wanted: bigint): string {
  const why = rebuild?.failure ? `: ${printableLine(rebuild.failure, maxReasonLength)}` : '';
  return `The search index of ${source} has been at serial ${serial} for ten minutes, not ${wanted}${why}`;
}

/** The index of the source; `undefined` when search has none. */
async function indexOf(
  ask: () => Promise<GetIndexStatusResponse>,
  source: string,
): Promise<SourceIndexStatus | undefined> {
  try {
    const { sources } = await ask();
    return sources.find((one) => one.source === source.toUpperCase());
  } catch (error) {
    if (error instanceof ServiceError && error.kind === 'unimplemented') return undefined;
    throw error;
  }
}
