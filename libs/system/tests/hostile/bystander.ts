import { setTimeout as sleep } from 'node:timers/promises';
import type { Rest } from '../harness/rest.js';
import { type WhoisClient, whoisClient } from '../harness/whois.js';

/** The results of one kind of request. */
export interface Seen {
  /** Latencies in milliseconds, ascending. */
  readonly latencies: readonly number[];
  /** Statuses other than 200. */
  readonly refusals: readonly number[];
}

export type SeenByKind = Record<'lookups' | 'searches' | 'writes', Seen>;

/** Pause between two requests of each kind. Together they stay below the limits of a client. */
const pauseMs = { lookups: 20, searches: 30, writes: 50 };

const person = (remark: string) => `person:         Patient Person
address:        Example Street 3
phone:          +31 20 555 0133
e-mail:         person@example.net
nic-hdl:        PP2-TEST
remarks:        ${remark}
mnt-by:         EXAMPLE-MNT
source:         TEST
`;

/** Stores the objects that `useNormally` uses. */
export async function prepare(rest: Rest, credential: string): Promise<void> {
  await whoisClient(rest, credential).create('person', person('none'));
}

/** Looks up, searches and writes for a time, with sequential requests of each kind. */
export async function useNormally(rest: Rest, credential: string, durationMs: number): Promise<SeenByKind> {
  const whois = whoisClient(rest, credential);
  const end = performance.now() + durationMs;
  const repeat = (kind: keyof SeenByKind, ask: (n: number) => ReturnType<Rest>) => repeatUntil(end, pauseMs[kind], ask);
  const [lookups, searches, writes] = await Promise.all([
    repeat('lookups', (n) => lookup(whois, n, credential)),
    repeat('searches', (n) => search(rest, n, credential)),
    repeat('writes', (n) => whois.update('person', 'PP2-TEST', person(`${durationMs} ${n} ${end}`))),
  ]);
  return { lookups, searches, writes };
}

/** Objects that change, so that the cache does not answer all requests. */
function lookup(whois: WhoisClient, n: number, credential: string): ReturnType<Rest> {
  return whois.lookup('person', n % 2 === 0 ? 'PP2-TEST' : 'AE1-TEST', '', { credential });
}

function search(rest: Rest, n: number, credential: string): ReturnType<Rest> {
  const term = ['192.0.2.77', 'EXAMPLE-MNT', 'AS64500', '2001%3Adb8%3A%3A%2F32'][n % 4];
  return rest(`/search?query-string=${term}`, { accept: 'application/json', credential });
}

async function repeatUntil(end: number, pauseMs: number, ask: (n: number) => ReturnType<Rest>): Promise<Seen> {
  const latencies: number[] = [];
  const refusals: number[] = [];
  for (let n = 0; performance.now() < end; n++) {
    const start = performance.now();
    const { status } = await ask(n);
    latencies.push(performance.now() - start);
    if (status !== 200) refusals.push(status);
    await sleep(pauseMs);
  }
  return { latencies: latencies.sort((a, b) => a - b), refusals };
}

/** The 99th percentile of the latencies. */
export function p99({ latencies }: Seen): number {
  return latencies[Math.ceil(latencies.length * 0.99) - 1] ?? Number.POSITIVE_INFINITY;
}
