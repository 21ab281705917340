import { createHistogram } from 'node:perf_hooks';
import { type RestClient, restClient } from './rest-client.ts';
import type { TestedSystem } from './tested-system.ts';
import type { Attributes } from './write-scenarios.ts';

const source = 'TEST';
const timeoutMs = 30_000;

/** Time from the response to a write until searches find it. */
export interface VisibilityResult {
  readonly writes: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Longest pause between two searches: the figures may be too large by as much. */
  readonly resolutionMs: number;
}

/** Creates persons one after the other; searches for each repeatedly until it is found. */
export async function measureVisibility(system: TestedSystem, writes: number): Promise<VisibilityResult> {
  using rest = await restClient(system);
  const latency = createHistogram({ lowest: 1, highest: timeoutMs * 1000 });
  let resolutionMs = 0;
  for (let n = 0; n < writes; n += 1) {
    const handle = `BV${100_000 + n}-${source}`;
    await rest.create('person', person(handle));
    const looks = await untilFound(rest, handle);
    latency.record(Math.max(1, Math.round(looks.ms * 1000)));
    resolutionMs = Math.max(resolutionMs, looks.maxMs);
  }
  return { writes, p50Ms: latency.percentile(50) / 1000, p99Ms: latency.percentile(99) / 1000, resolutionMs };
}

async function untilFound(rest: RestClient, handle: string): Promise<{ ms: number; maxMs: number }> {
  const path = `/search.json?source=${source}&flags=r&type-filter=person&query-string=${handle}`;
  const start = performance.now();
  let maxMs = 0;
  for (let before = start; before - start < timeoutMs; ) {
    const { status, body } = await rest.get(path);
    const now = performance.now();
    maxMs = Math.max(maxMs, now - before);
    if (status === 200) return { ms: now - start, maxMs };
    if (status !== 404) throw new Error(`${path} returned status ${status}: ${body}`);
    before = now;
  }
  throw new Error(`${handle} was not found within ${timeoutMs / 1000} seconds`);
}

function person(handle: string): Attributes {
  return [
    ['person', 'Bench Reader'],
    ['address', 'Example Street 1'],
    ['phone', '+31 20 555 0100'],
    ['e-mail', 'bench@example.net'],
    ['nic-hdl', handle],
    ['mnt-by', 'EXAMPLE-MNT'],
    ['source', source],
  ];
}
