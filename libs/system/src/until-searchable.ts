import { setTimeout as sleep } from 'node:timers/promises';
import { SearchServiceService } from '@cadastre/proto/search';
import { connect } from '@cadastre/service';

const pollMs = 50;

/** Waits until the search index of a source has reached a serial. Returns false after the timeout (milliseconds). */
export async function untilSearchable(
  searchAddress: string,
  source: string,
  serial: bigint,
  timeoutMs: number,
): Promise<boolean> {
  const giveUp = performance.now() + timeoutMs;
  using client = connect(SearchServiceService, { address: searchAddress, deadlineMs: 10_000 });
  for (;;) {
    const { sources } = await client.getIndexStatus({});
    if (sources.some((one) => one.source === source && one.serial >= serial)) return true;
    if (performance.now() > giveUp) return false;
    await sleep(pollMs);
  }
}
