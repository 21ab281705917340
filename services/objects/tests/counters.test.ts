import { randomUUID } from 'node:crypto';
import type { WriteRequest } from '@cadastre/proto/objects';
import { parseObject, rangeOf, referencesOf, samples, valuesOf } from '@cadastre/rpsl';
import { testLogger } from '@cadastre/service/testing';
import pg from 'pg';
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest';
import { type Context, createContext } from '../src/context.js';
import { defaultPolicy } from '../src/domain/policy.js';
import { typeCodes } from '../src/store/codes.js';
import { inetnum, lookup, useContext } from './test-context.js';
import {
  alice,
  bob,
  edited,
  mntner,
  person,
  type Seen,
  seen,
  startRegistry,
  submitted,
  writerOf,
} from './write-context.js';

// Two replicas write to the same few objects while their connections are killed. No acknowledged write may be lost, and
// no two writes may both succeed that would break an invariant together (decision W11).

vi.setConfig({ testTimeout: 300_000 });

const writers = 16;
/** Writes that each writer attempts. */
const attempts = inject('counts').counters;
const writesBetweenKills = 150;

const setup = useContext();
let second: Awaited<ReturnType<typeof createContext>>;
let admin: pg.Client;
let replicas: Context[];

beforeAll(async () => {
  second = await createContext({
    databaseUrl: setup.url,
    source: 'test',
    grsSources: ['EXAMPLE-GRS'],
    readConnections: 4,
    writeConnections: 12,
    publicCallers: ['gateway'],
    accounts: { resolve: async () => new Map(), resolveSubjects: async () => new Map() },
    policy: defaultPolicy,
    clock: setup.clock.now,
    logger: testLogger(),
  });
  replicas = [setup.context, second.context];
  admin = new pg.Client(setup.url);
  await admin.connect();
  await startRegistry(setup.context);
});

afterAll(async () => {
  await admin?.end();
  await second?.close();
});

/** Acknowledged writes by what they did; a write without a response may be made or not. */
const acknowledged: { readonly what: string; readonly key: string; readonly serial: bigint }[] = [];
const unknown: { readonly what: string; readonly key: string }[] = [];
let attempted = 0;

async function acknowledge(what: string, key: string, write: Promise<Seen>): Promise<Seen | undefined> {
  if (++attempted % writesBetweenKills === 0) void killConnections();
  const result = await write.catch((error: { kind?: string }) => {
    if (error.kind !== 'unavailable') throw error;
    return undefined;
  });
  if (result === undefined) unknown.push({ what, key });
  else if (result.serial > 0n) acknowledged.push({ what, key: result.object?.key ?? key, serial: result.serial });
  return result;
}

/** Kills some of the sessions of writes at any moment. */
async function killConnections(): Promise<void> {
  await admin.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and application_name like 'cadastre-objects-%' and application_name not like '%-feed'
       and random() < 0.5`,
  );
}

const one = (count: number) => Math.floor(Math.random() * count) + 1;
const chosen = <T>(...all: readonly T[]): T => all[one(all.length) - 1]!;

const named = (handle: string) => edited(person, { 'nic-hdl': handle });
const counters = Array.from({ length: 5 }, (_, at) => `CO${at + 1}-TEST`);
/** Each has an author of its own: an update that repeats what is stored succeeds. */
const counter = (handle: string, value: number) =>
  edited(named(handle), { remarks: `counted ${value} by ${randomUUID()}` });
const countOf = (text: string) => Number(/counted (\d+)/.exec(text)![1]);
const routeSet = (key: string, mntner: string) =>
  edited(samples['route-set'], {
    'route-set': key,
    org: undefined,
    'admin-c': 'AE1-TEST',
    'tech-c': 'AE1-TEST',
    'mbrs-by-ref': mntner,
  });
const network = (range: string) =>
  edited(inetnum(range).replaceAll('SB1-TEST', 'AE1-TEST'), { 'mnt-by': 'EXAMPLE-MNT' });
const shared = (account: string) =>
  edited(mntner, { mntner: 'SHARED-MNT', 'mnt-by': 'EXAMPLE-MNT', auth: `SSO ${account}@example.net` });

/** Reads a counter and stores the next value, if no one else has meanwhile. */
async function increment(context: Context): Promise<void> {
  const handle = chosen(...counters);
  const found = await lookup(context, 'person', handle).catch(() => undefined);
  if (found === undefined) return; // The connection was killed.
  const { revision, lastModified, text } = found;
  const request: WriteRequest = {
    write: {
      $case: 'update',
      value: {
        key: { source: 'TEST', type: 'person', key: handle },
        object: submitted(counter(handle, countOf(text) + 1)),
        options: { principal: alice, dryRun: false },
      },
    },
    expected: { states: [{ revision, lastModified }] },
  };
  const write = writerOf(context).client.write(request);
  const result = await acknowledge(
    'increment',
    handle,
    write.then(({ results }) => seen(results[0])),
  );
  if (result !== undefined) expect(['MODIFIED', 'STALE']).toContain(result.outcome);
}

/**
 * Objects that are created, deleted, created again, and that name one another; without persons, whose handles are never
 * free again.
 */
async function tangle(context: Context): Promise<void> {
  const writer = writerOf(context);
  const [target, referrer] = [`TA${one(3)}-MNT`, `RS-RE${one(4)}`];
  await chosen(
    () => acknowledge('target', target, writer.create(edited(mntner, { mntner: target, 'mnt-by': 'EXAMPLE-MNT' }))),
    () => acknowledge('target', target, writer.remove('mntner', target)),
    () => acknowledge('referrer', referrer, writer.create(routeSet(referrer, target))),
    () => acknowledge('referrer', referrer, writer.update('route-set', referrer, routeSet(referrer, target))),
    () => acknowledge('referrer', referrer, writer.remove('route-set', referrer)),
  )();
}

/** Handles of one stem, mostly chosen by the registry. */
async function handle(context: Context): Promise<void> {
  const key = one(4) === 1 ? `ZZ${one(attempts)}-TEST` : 'AUTO-1';
  const text = edited(person, { person: 'Zelda Zebra', 'nic-hdl': key });
  await acknowledge('handle', key, writerOf(context).create(text));
}

/** Networks that overlap. */
async function space(context: Context): Promise<void> {
  const [first, length] = [one(12) * 64, chosen(63, 127, 191, 255)];
  const address = (n: number) => `10.0.${n >> 8}.${n & 255}`;
  const range = `${address(first)} - ${address(first + length)}`;
  await acknowledge(
    'network',
    range,
    one(3) === 1 ? writerOf(context).remove('inetnum', range) : writerOf(context).create(network(range)),
  );
}

let nextByBob = 0;

/** A mntner that bob may or may not be while he creates objects with it. */
async function authority(context: Context): Promise<void> {
  const writer = writerOf(context);
  if (one(4) === 1) {
    const key = 'SHARED-MNT';
    await acknowledge('authority', key, writer.update('mntner', key, shared(chosen('alice', 'bob'))));
    return;
  }
  const key = `BO${++nextByBob}-TEST`;
  await acknowledge('by bob', key, writer.create(edited(named(key), { 'mnt-by': 'SHARED-MNT' }), bob));
}

const kindsOfWrites = ['authority', 'by bob', 'handle', 'increment', 'network', 'referrer', 'target'];
const kinds = [increment, increment, tangle, handle, space, authority];

test('what two replicas acknowledge is there, and nothing contradicts, whatever connections are killed', async () => {
  const writer = writerOf(setup.context);
  for (const key of counters) await writer.create(counter(key, 0));
  await writer.create(shared('bob'));
  const { rows: begun } = await admin.query<{ serial: string }>('select serial from source where id = 1');

  await Promise.all(
    Array.from({ length: writers }, async (_, n) => {
      for (let left = attempts; left > 0; left--) await chosen(...kinds)(replicas[n % replicas.length]!);
    }),
  );

  const made = Object.groupBy(acknowledged, ({ what }) => what);
  console.log(
    attempted,
    unknown.length,
    Object.entries(made)
      .map(([k, v]) => k + v!.length)
      .join(),
  );
  expect(Object.keys(made).sort()).toEqual([...kindsOfWrites]);
  const start = BigInt(begun[0]!.serial);
  await expectSerials(start);
  for (const key of counters) await expectCounter(key);
  const stored = await existing();
  expectReferences(stored);
  expectNoOverlaps(stored);
  await expectUniqueNumbers();
  await expectAuthority();
});

/** Each acknowledged write has a change of its own, and serials have no gaps. */
async function expectSerials(start: bigint): Promise<void> {
  const { rows } = await admin.query<{ serial: string }>(
    'select serial from change where source_id = 1 and serial > $1 order by serial',
    [start],
  );
  const { rows: source } = await admin.query<{ serial: string }>('select serial from source where id = 1');
  expect(rows.map(({ serial }) => BigInt(serial))).toEqual(rows.map((_, at) => start + BigInt(at + 1)));
  expect(start + BigInt(rows.length)).toBe(BigInt(source[0]!.serial));
  const serials = new Set(acknowledged.map(({ serial }) => serial));
  expect(serials.size).toBe(acknowledged.length);
  expect(rows.length).toBeGreaterThanOrEqual(acknowledged.length);
  expect(rows.length).toBeLessThanOrEqual(acknowledged.length + unknown.length);
}

/** Every acknowledged increment counts, and each stored state has the value after the one before. */
async function expectCounter(key: string): Promise<void> {
  const states = await statesOf('person', key);
  expect(states.map(({ text }) => countOf(text))).toEqual(states.map((_, at) => at));
  expect(states.map(({ revision }) => revision)).toEqual(states.map((_, at) => at + 1));
  const made = acknowledged.filter((write) => write.what === 'increment' && write.key === key);
  const optional = unknown.filter((write) => write.what === 'increment' && write.key === key).length;
  const serials = new Set(states.map(({ serial }) => serial));
  expect(made.filter(({ serial }) => !serials.has(serial))).toEqual([]);
  expect(states.length - 1).toBeLessThanOrEqual(made.length + optional);
}

/** All states of an object that was never deleted, oldest first. */
async function statesOf(type: keyof typeof typeCodes, key: string) {
  const { rows } = await admin.query<{ revision: number; serial: string; text: string }>(
    `select revision, serial, text from version where source_id = 1 and type = $1 and key = $2
     union all select revision, serial, text from object where source_id = 1 and type = $1 and key = $2
     order by revision`,
    [typeCodes[type], key.toLowerCase()],
  );
  return rows.map((row) => ({ ...row, serial: BigInt(row.serial) }));
}

async function existing() {
  const { rows } = await admin.query<{ text: string }>('select text from object where source_id = 1 and not deleted');
  return rows.map(({ text }) => {
    const parsed = parseObject(text);
    if (!parsed.ok) throw new Error(`does not parse: ${text}`);
    return parsed.object;
  });
}

type Stored = Awaited<ReturnType<typeof existing>>;

function expectReferences(stored: Stored): void {
  const mntners = new Set(stored.flatMap((object) => valuesOf(object, 'mntner')).map((key) => key.toLowerCase()));
  const dangling = stored
    .filter(({ type }) => type === 'route-set')
    .flatMap((object) => referencesOf(object))
    .filter(({ types, key }) => types.includes('mntner') && !mntners.has(key));
  expect(dangling).toEqual([]);
}

function expectNoOverlaps(stored: Stored): void {
  const ranges = stored
    .filter(({ type }) => type === 'inetnum')
    .flatMap((object) => rangeOf(object) ?? [])
    .flatMap((range) => ('as' in range ? [] : [range]));
  const crossing = ranges.flatMap((a) =>
    ranges.filter((b) => a.first < b.first && b.first <= a.last && a.last < b.last).map((b) => [a, b]),
  );
  expect(crossing).toEqual([]);
}

/** No number of the stem was given twice. */
async function expectUniqueNumbers(): Promise<void> {
  const { rows } = await admin.query<{ key: string }>(
    `select key from object where source_id = 1 and key like 'zz%-test'`,
  );
  const numbers = rows.map(({ key }) => Number(/\d+/.exec(key)![0]));
  expect(new Set(numbers).size).toBe(numbers.length);
  const given = acknowledged.filter(({ what }) => what === 'handle').map(({ key }) => key.toLowerCase());
  expect(new Set(given).size).toBe(given.length);
  expect(given.filter((key) => !rows.some((row) => row.key === key))).toEqual([]);
}

/** Each object that bob created has a serial at which he was a holder of the mntner. */
async function expectAuthority(): Promise<void> {
  const states = await statesOf('mntner', 'SHARED-MNT');
  const { rows } = await admin.query<{ key: string; serial: string }>(
    `select key, serial from object where source_id = 1 and key like 'bo%-test'`,
  );
  const wrong = rows.filter(({ serial }) => {
    const state = states.findLast((one) => one.serial < BigInt(serial))!;
    return !state.text.includes('bob');
  });
  expect(wrong).toEqual([]);
  const there = new Set(rows.map(({ key }) => key.toUpperCase()));
  expect(acknowledged.filter(({ what, key }) => what === 'by bob' && !there.has(key))).toEqual([]);
}
