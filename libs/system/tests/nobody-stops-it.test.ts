import { readdirSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { gatewaySettings } from '../../../services/gateway/src/settings.js';
import { cadastre } from './harness/cadastre.js';
import { eventually } from './harness/eventually.js';
import { chartLimit, type MemoryLimits, type MemoryUse, prepareMemoryLimits } from './harness/memory-limits.js';
import { personText } from './harness/person-text.js';
import { descendants } from './harness/processes.js';
import { type Rest, restClient } from './harness/rest.js';
import { defaultLimits, freshDirectory, type RunningSystem, runSystem } from './harness/run-system.js';
import { asUsual, isAlone, minutes } from './hostile/alone.js';
import { kinds, p99, percentile, prepare, type SeenByKind, useNormally } from './hostile/bystander.js';
import { getAs } from './hostile/client-at.js';
import { addressesOfPrefixes, loadBalancerSettings } from './hostile/load-balancer.js';
import { startAttack } from './hostile/many-clients.js';
import { whoisAnswer } from './price/asked.js';
import { untilQuiet } from './price/cpu.js';
import { load, setTexts, storeVersions } from './price/poison.js';

// Each service runs with the memory limit of its pod in the chart: the kernel kills it when it needs more. The registry
// has the maximum that accounts can store.

const togetherMs = isAlone ? minutes * 60_000 : 8_000;
// A busy machine needs minutes for two thousand handshakes.
vi.setConfig({ testTimeout: 600_000 + 3 * togetherMs, hookTimeout: 600_000 });

const quietMs = 5_000;
const hostileMs = 4_000;
/** Factor by which the p99 of others may exceed its quiet value. */
const maxFactor = 5;
/** Minimum for the quiet p99: the attacker shares the processors, of which there may be two. */
const minQuietMs = 20;

/** Bound of the gateway's ports: fewer than by default, so that they are full soon. */
const connections = 2_000;
/** Two million members in all. */
const sets = 41;
const versions = 110;
const [attacker = '', blocked = ''] = ['2001:db8:a::1', '2001:db8:bad::1'];
const reader = '2001:db8:b::1';

/** Every way that needs nothing but requests. */
const everyWay = [
  'lines that are not answered',
  'expansions on port 43',
  'expansions by origin',
  'expansions by search',
  'unread histories',
  'unread objects of a mntner',
  'unread routes',
  'unread expansions',
  'unread lines',
  'versions',
  'differences',
  'searches of the past',
  'searches of everything',
  'words and suggestions',
  'searches by RDAP',
];

let data: Awaited<ReturnType<typeof freshDirectory>>;
let limits: MemoryLimits;
let system: RunningSystem;
let rest: Rest & { close(): void };
let quiet: SeenByKind;
/** The restarts when the test began. */
let before: Record<string, number>;
const rows: string[] = [];

beforeAll(async () => {
  data = await freshDirectory();
  limits = prepareMemoryLimits();
  system = await runSystem(data.directory, {
    ...defaultLimits,
    ...asUsual,
    ...loadBalancerSettings,
    ...limits.env,
    CADASTRE_CONNECTIONS: String(connections),
  });
  rest = restClient(system, { repeats: !isAlone });
  await load(system, setTexts(sets));
  await storeVersions(system, versions);
  await prepare(rest, system.credential);
  await untilQuiet(system.pid);
  await useNormally(system, rest, quietMs / 2); // Code that is not yet compiled takes longer.
  quiet = await useNormally(system, rest, quietMs);
});

afterAll(async () => {
  console.log(['nobody stops it', ...rows, ...memoryRows()].join('\n'));
  rest?.close();
  await system?.stop();
  limits?.remove();
  await data.remove();
});

beforeEach(async () => {
  // A harmful way fails only its own test.
  await eventually(async () => {
    expect((await rest('/TEST/mntner/EXAMPLE-MNT')).status).toBe(200);
    expect(await whoisAnswer(system, '!iAS64500:AS-CUSTOMERS,1\n')).toMatch(/^A/);
  }, 120_000);
  before = restarts();
});

test('1. lines that are not answered, also from a blocked client', async () => {
  const added = await cadastre(system, ['block', 'add', '2001:db8:bad::/64', '--reason', 'a test']);
  expect(added.code, added.stderr).toBe(0);
  await eventually(async () => expect((await getAs(system, blocked, '/metadata/sources')).status).toBe(403));
  for (const client of [attacker, blocked]) await expectBearable(['lines that are not answered'], [client]);
});

test('3. six expansions in one packet, and ten requests of expansions, by one client', async () => {
  await expectBearable(['expansions on port 43', 'expansions by origin', 'expansions by search'], [attacker], 10);
});

test('4. ten answers that nobody reads: histories, objects, routes, expansions', async () => {
  const ways = [
    ...['unread histories', 'unread objects of a mntner', 'unread routes', 'unread expansions'],
    'unread lines',
  ];
  await expectBearable(ways, addressesOfPrefixes(4), 10);
});

test('5. persons that RDAP shows inside other objects count', async () => {
  const perNetwork = 20;
  const networks = 20;
  const handleOf = (n: number) => `PD${n + 1}-TEST`;
  const persons = Array.from({ length: networks * perNetwork }, (_, n) => personText('Paula Data', handleOf(n)));
  const texts = Array.from({ length: networks }, (_, n) => {
    const contacts = Array.from({ length: perNetwork }, (_, m) => `tech-c: ${handleOf(n * perNetwork + m)}\n`);
    return (
      `inetnum: 203.0.113.${n} - 203.0.113.${n}\nnetname: EXAMPLE-NET\ncountry: NL\nadmin-c: ${handleOf(n * perNetwork)}\n` +
      `${contacts.join('')}status: ASSIGNED PA\nmnt-by: EXAMPLE-MNT\nsource: TEST\n`
    );
  });
  await load(system, [...persons, ...texts]);
  const shown = new Set<string>();
  for (let n = 0; n < networks; n++) {
    const { text } = await getAs(system, reader, `/rdap/ip/203.0.113.${n}`);
    for (const handle of handlesWithData(JSON.parse(text))) shown.add(handle);
  }
  expect(shown.size).toBeGreaterThan(0);
  await eventually(async () => {
    const { text } = await getAs(system, reader, '/metadata/limits.json');
    const used = Number(/"personal-objects".*?"used"\s*:\s*(\d+)/s.exec(text)?.[1]);
    expect(used, `persons that count, of ${shown.size} shown`).toBeGreaterThanOrEqual(shown.size);
  });
  expectNobodyEnded();
});

test('6. connections of HTTP/2: a full port lets a friend in, and all that it takes have memory', async () => {
  const held = residentBytes('gateway');
  const clients = addressesOfPrefixes(2 * (connections / 500));
  /** Fills the port. Returns the memory of the gateway then. */
  const fill = async () => {
    const attack = await startAttack(system, { ways: ['HTTP/2 connections'], clients, atOnce: 20, pauseMs: 0 });
    await eventually(async () => expect(openFiles('gateway')).toBeGreaterThan(connections), 240_000);
    const seen = await useNormally(system, rest, hostileMs);
    // A client that has no connection yet gets one.
    const friend = restClient(system);
    const ask = async () => (await friend('/TEST/mntner/EXAMPLE-MNT').catch(() => ({ status: 0 }))).status;
    const statuses = [await ask(), await ask(), await ask()];
    friend.close();
    const bytes = residentBytes('gateway');
    const outcomes = await attack.stop();
    note('connections of HTTP/2', seen, outcomes);
    return { bytes, statuses, refusals: kinds.flatMap((kind) => seen[kind].refusals) };
  };
  const first = await fill();
  const second = await fill();
  expectNobodyEnded();
  for (const { statuses, refusals } of [first, second]) {
    expect.soft(statuses).toEqual([200, 200, 200]);
    expect.soft(refusals).toEqual([]);
  }
  const ofOne = (first.bytes - held) / connections;
  const bound = gatewaySettings.connections.fallback!;
  rows.push(
    '',
    `A connection of HTTP/2 takes ${Math.round(ofOne / 1024)} KiB; ${bound} are the default bound of a port.`,
  );
  expect.soft(held + bound * ofOne, `bytes of ${bound} connections`).toBeLessThan(chartLimit('gateway'));
  // The memory of closed connections is released, or reused. An image lets its heap grow by 96 MiB before it collects.
  expect(second.bytes).toBeLessThan(first.bytes + Math.max(120 * 2 ** 20, (first.bytes - held) / 2));
});

test('9. versions, differences and searches of the past, by one address', async () => {
  await expectBearable(['versions', 'differences', 'searches of the past'], [attacker], 10);
});

test.each(isAlone ? [20, 256] : [20])('all at once, from %i prefixes', async (prefixes) => {
  await expectBearable(everyWay, addressesOfPrefixes(prefixes), 3, togetherMs);
});

test('2. 350 as-sets of 270 kB: whois has memory for them, also after a restart', async () => {
  await load(system, setTexts(350, 'AS64497:AS-MANY', 19_000));
  await eventually(async () => {
    expect(await whoisAnswer(system, '!iAS64497:AS-MANY-350\n')).not.toMatch(/^D/);
  }, 240_000);
  const used = await useNormally(system, rest, 2_000);
  expect(used.whois.refusals).toEqual([]);
  expectNobodyEnded();
  const whois = descendants(system.pid).find(({ command }) => command.includes('services/whois/dist/main.js'));
  process.kill(whois!.pid, 'SIGTERM');
  before.whois! += 1;
  // Until it stops, the old process still answers.
  await eventually(async () => expect(restarts()).toEqual(before), 240_000);
  await eventually(async () => expect(await whoisAnswer(system, '!iAS64500:AS-CUSTOMERS,1\n')).toMatch(/^A/), 240_000);
  expectNobodyEnded();
});

/**
 * Attacks, and expects that no service ends, that others are not refused and, alone, that they wait at most five times
 * as long as usual.
 */
async function expectBearable(ways: string[], clients: string[], atOnce = 3, durationMs = hostileMs): Promise<void> {
  const attack = await startAttack(system, { ways, clients, atOnce });
  const hostile = await useNormally(system, rest, durationMs);
  const outcomes = await attack.stop();
  note(`${clients.length} clients: ${ways.length > 4 ? 'all ways' : ways.join(', ')}`, hostile, outcomes);
  expectNobodyEnded();
  for (const kind of kinds) {
    expect(hostile[kind].refusals, `refused ${kind}`).toEqual([]);
    if (isAlone) expect.soft(p99(hostile[kind]), `p99 of ${kind}`).toBeLessThan(maxMs(kind));
  }
  // A way without outcomes shows nothing.
  for (const way of ways) expect(outcomes[way]?.begun, way).toBeGreaterThan(0);
}

function maxMs(kind: keyof SeenByKind): number {
  return maxFactor * Math.max(minQuietMs, p99(quiet[kind]));
}

/** The services that were restarted since the test began, or that the kernel has killed: none. */
function expectNobodyEnded(): void {
  expect(restarts()).toEqual(before);
  for (const { service, limit, peak } of limits.uses(system.pid)) expect(peak, service).toBeLessThan(limit);
}

function restarts(): Record<string, number> {
  return Object.fromEntries(limits.uses(system.pid).map(({ service, restarts }) => [service, restarts]));
}

/** Memory of a service now, in bytes (proc(5), status). */
function residentBytes(service: string): number {
  return limits.uses(system.pid).find((use) => use.service === service)?.now ?? 0;
}

/** Sockets and files that a service has open (proc(5)). */
function openFiles(service: string): number {
  const own = descendants(system.pid).find(({ command }) => command.includes(`services/${service}/dist/main.js`));
  return readdirSync(`/proc/${own!.pid}/fd`).length;
}

/** The handles of entities in an RDAP document that show an address or a telephone number. */
function handlesWithData(document: unknown): string[] {
  if (typeof document !== 'object' || document === null) return [];
  const { handle, vcardArray } = document as { handle?: string; vcardArray?: unknown };
  const own = handle?.startsWith('PD') && /"(adr|tel)"/.test(JSON.stringify(vcardArray ?? '')) ? [handle] : [];
  return [...own, ...Object.values(document).flatMap(handlesWithData)];
}

/** Adds a row to the table at the end. */
function note(what: string, seen: SeenByKind, outcomes: Record<string, Record<string, number>>): void {
  if (rows.length === 0) {
    rows.push(`| p50 / p99 in ms | ${kinds.join(' | ')} | refused |`, `|---|${'---|'.repeat(kinds.length + 1)}`);
    rows.push(rowOf('quiet', quiet));
  }
  rows.push(rowOf(what, seen), ...(isAlone ? [`<!-- ${JSON.stringify(outcomes)} -->`] : []));
}

function rowOf(what: string, seen: SeenByKind): string {
  const cells = kinds.map((kind) => `${ms(percentile(seen[kind], 0.5))} / ${ms(p99(seen[kind]))}`);
  const refused = kinds.reduce((sum, kind) => sum + seen[kind].refusals.length, 0);
  return `| ${what} | ${cells.join(' | ')} | ${refused} |`;
}

function memoryRows(): string[] {
  if (system === undefined) return [];
  const mib = (bytes: number | undefined) => (bytes === undefined ? '-' : Math.round(bytes / 2 ** 20));
  const line = ({ service, limit, peak, groupPeak, killed, restarts }: MemoryUse) =>
    `| ${service} | ${mib(limit)} | ${mib(peak)} | ${mib(groupPeak)} | ${killed ?? '-'} | ${restarts} |`;
  return [
    '',
    `| MiB (limited by ${limits.by}) | limit | peak of the process | of its cgroup | ended by the kernel | restarts |`,
    '|---|---|---|---|---|---|',
    ...limits.uses(system.pid).map(line),
  ];
}

function ms(duration: number): string {
  return duration < 10 ? duration.toFixed(1) : String(Math.round(duration));
}
