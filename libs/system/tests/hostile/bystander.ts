import { setTimeout as sleep } from 'node:timers/promises';
import type { Rest } from '../harness/rest.js';
import type { RunningSystem } from '../harness/run-system.js';
import { type WhoisClient, whoisClient } from '../harness/whois.js';
import { whoisAnswer } from '../price/asked.js';
import { isAlone } from './alone.js';

/** The results of one kind of request. */
export interface Seen {
  /** Latencies in milliseconds, ascending. */
  readonly latencies: readonly number[];
  /** Statuses other than 200. */
  readonly refusals: readonly number[];
}

/** What the client does. */
export const kinds = ['lookups', 'searches', 'writes', 'whois', 'rdap'] as const;
export type Kind = (typeof kinds)[number];
export type SeenByKind = Record<Kind, Seen>;

/** Pause between two requests of each kind. Together they stay below the limits of a client. */
const pauseMs: Record<Kind, number> = { lookups: 20, searches: 30, writes: 50, whois: 70, rdap: 70 };

/** Timeout of a request: less on a machine that does nothing else. */
const timeoutMs = isAlone ? 10_000 : 90_000;

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

/** Looks up, searches, writes, and queries port 43 and RDAP for a time, with sequential requests of each kind. */
export async function useNormally(system: RunningSystem, rest: Rest, durationMs: number): Promise<SeenByKind> {
  const { credential } = system;
  const client = whoisClient(rest, credential);
  const end = performance.now() + durationMs;
  const repeat = (kind: Kind, ask: (n: number) => Promise<number>) => repeatUntil(end, pauseMs[kind], ask);
  const [lookups, searches, writes, whois, rdap] = await Promise.all([
    repeat('lookups', (n) => lookup(client, n, credential)),
    repeat('searches', (n) => search(rest, n, credential)),
    repeat('writes', async (n) => {
      return (await client.update('person', 'PP2-TEST', person(`${durationMs} ${n} ${end}`))).status;
    }),
    repeat('whois', (n) => askWhois(system, n)),
    repeat('rdap', async (n) => (await rest(`/rdap/${['ip/192.0.2.77', 'autnum/64500'][n % 2]}`)).status),
  ]);
  return { lookups, searches, writes, whois, rdap };
}

/** 200 for a complete answer. */
async function askWhois(system: RunningSystem, n: number): Promise<number> {
  const [line, expected] = [
    ['-r 192.0.2.77', 'inetnum:'],
    ['!gAS64500', 'A'],
    ['!iAS64500:AS-CUSTOMERS,1', 'A'],
  ][n % 3]!;
  const answer = await whoisAnswer(system, `${line}\n`).catch(() => '');
  return answer.includes(expected!) ? 200 : 503;
}

/** Objects that change, so that the cache does not answer all requests. */
async function lookup(whois: WhoisClient, n: number, credential: string): Promise<number> {
  return (await whois.lookup('person', n % 2 === 0 ? 'PP2-TEST' : 'AE1-TEST', '', { credential })).status;
}

async function search(rest: Rest, n: number, credential: string): Promise<number> {
  const term = ['192.0.2.77', 'EXAMPLE-MNT', 'AS64500', '2001%3Adb8%3A%3A%2F32'][n % 4];
  return (await rest(`/search?query-string=${term}`, { accept: 'application/json', credential })).status;
}

async function repeatUntil(end: number, pauseMs: number, ask: (n: number) => Promise<number>): Promise<Seen> {
  const latencies: number[] = [];
  const refusals: number[] = [];
  for (let n = 0; performance.now() < end; n++) {
    const start = performance.now();
    // A broken connection is not an answer, nor is a late one.
    const late = new AbortController();
    const tooLate = sleep(timeoutMs, 0, { signal: late.signal }).catch(() => 0);
    const status = await Promise.race([ask(n).catch(() => 0), tooLate]);
    late.abort();
    latencies.push(performance.now() - start);
    if (status !== 200) refusals.push(status);
    await sleep(pauseMs);
  }
  return { latencies: latencies.sort((a, b) => a - b), refusals };
}

/** The 99th percentile of the latencies. */
export function p99(seen: Seen): number {
  return percentile(seen, 0.99);
}

/** The latency that a share of the requests did not exceed. */
export function percentile({ latencies }: Seen, share: number): number {
  return latencies[Math.ceil(latencies.length * share) - 1] ?? Number.POSITIVE_INFINITY;
}
