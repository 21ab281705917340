import { LookupStatus, type Moment } from '@cadastre/proto/objects';
import { filterVersion, parseObject, printObject } from '@cadastre/rpsl';
import { inTransaction } from '@cadastre/service';
import { beforeAll, describe, expect, test } from 'vitest';
import { trimChanges, trimChangesAndVersions } from '../src/store/trimmed-changes.js';
import { type History, type Name, names, randomHistory, serialAt } from './random-history.js';
import { allDeletes, loadText, person, readerOf, useContext } from './test-context.js';

const setup = useContext();
const dayMs = 24 * 60 * 60 * 1000;
const seed = Number(process.env.CADASTRE_TEST_SEED ?? 16);
let history: History;

beforeAll(async () => {
  history = await randomHistory(setup, { seed, rounds: 120 });
});

const atSerial = (value: number | bigint): Moment => ({ point: { $case: 'serial', value: BigInt(value) } });
const atInstant = (value: Date): Moment => ({ point: { $case: 'instant', value } });

async function lookUp(name: Name | string, moment: Moment, { source = 'TEST', nearest = false } = {}) {
  const [, type, key] = /^(\S+) (.*)$/.exec(name)!;
  const { answers } = await readerOf(setup.context).batchLookupPast({
    lookups: [{ key: { source, type: type!, key: key! }, moment, nearest }],
  });
  return answers[0]!;
}

/** What the registry shows of all objects at moments. */
async function shownAt(moments: readonly Moment[]) {
  const lookups = moments.flatMap((moment) =>
    names.map((name) => {
      const [, type, key] = /^(\S+) (.*)$/.exec(name)!;
      return { key: { source: 'TEST', type: type!, key: key! }, moment, nearest: false };
    }),
  );
  const shown: (string | LookupStatus)[] = [];
  for (let at = 0; at < lookups.length; at += 500) {
    const { answers } = await readerOf(setup.context).batchLookupPast({ lookups: lookups.slice(at, at + 500) });
    shown.push(...answers.map(({ status, object }) => object?.text ?? status));
  }
  return moments.map((_, at) => shown.slice(at * names.length, (at + 1) * names.length));
}

/** The state of all objects after a serial, according to the model. */
function expectedAt(serial: number) {
  return names.map((name) => {
    const text = history.states[serial]!.get(name);
    if (text !== undefined) return filtered(text);
    const existed = history.states.slice(0, serial).some((state) => state.has(name));
    return existed ? LookupStatus.LOOKUP_STATUS_DELETED : LookupStatus.LOOKUP_STATUS_NOT_FOUND;
  });
}

function filtered(text: string): string {
  const parsed = parseObject(text);
  if (!parsed.ok) throw new Error('does not parse');
  return printObject(filterVersion(parsed.object));
}

/** Every second from before the first change until now. */
function seconds(): Date[] {
  const [first, last] = [history.instants[0]!.getTime(), history.instants.at(-1)!.getTime()];
  return Array.from({ length: (last - first) / 1000 + 1 }, (_, n) => new Date(first + n * 1000));
}

describe(`a random history (seed ${seed})`, () => {
  test('looks at every serial as a replay does', async () => {
    const serials = [...history.states.keys()];
    expect(await shownAt(serials.map(atSerial))).toEqual(serials.map(expectedAt));
  });

  test('looks at every second as a replay up to the last change that is not later', async () => {
    const all = seconds();
    expect(await shownAt(all.map(atInstant))).toEqual(all.map((second) => expectedAt(serialAt(history, second))));
  });

  test('lists the versions that there were at each serial', async () => {
    const reader = readerOf(setup.context);
    const key = { source: 'TEST', type: 'person', key: 'ha1-test' };
    const { versions: all } = await reader.listVersions({ key });
    for (const serial of [all[0]!.serial, all[1]!.serial, all.at(-1)!.serial]) {
      const { versions } = await reader.listVersions({ key, asOf: atSerial(serial) });
      expect(versions).toEqual(all.filter((version) => version.serial <= serial));
    }
    await expect(reader.listVersions({ key, asOf: atSerial(all[0]!.serial - 1n) })).rejects.toMatchObject({
      kind: 'not-found',
    });
  });

  test('looks the same at every second when the feed has forgotten its changes', async () => {
    const all = seconds();
    const before = await shownAt(all.map(atInstant));
    const half = history.instants[60]!;
    for (const olderThan of [half, new Date(setup.clock.now().getTime() + dayMs)]) {
      await inTransaction(setup.context.writePool, (db) => trimChanges(db, setup.context.sources.main.id, olderThan));
      expect(await shownAt(all.map(atInstant))).toEqual(before);
    }
  });
});

test('an answer has the serial of its moment, and of a deleted object the time', async () => {
  const serial = history.states.findIndex((state, at) => at > 0 && state.size < history.states[at - 1]!.size);
  const name = names.find((one) => history.states[serial - 1]!.has(one) && !history.states[serial]!.has(one))!;
  expect(await lookUp(name, atSerial(serial))).toMatchObject({
    status: LookupStatus.LOOKUP_STATUS_DELETED,
    serial: BigInt(serial),
    deleted: history.instants[serial],
  });
  expect(await lookUp(name, atInstant(history.instants[serial]!))).toMatchObject({
    serial: BigInt(serialAt(history, history.instants[serial]!)),
  });
});

test('the future is refused, and its nearest state is the newest one', async () => {
  const newest = BigInt(history.states.length - 1);
  const name = names.find((one) => history.states.at(-1)!.has(one))!;
  const tomorrow = atInstant(new Date(setup.clock.now().getTime() + dayMs));
  expect((await lookUp(name, tomorrow)).status).toBe(LookupStatus.LOOKUP_STATUS_AHEAD);
  expect(await lookUp(name, atSerial(newest + 1n))).toMatchObject({
    status: LookupStatus.LOOKUP_STATUS_AHEAD,
    serial: newest,
  });
  expect(await lookUp(name, tomorrow, { nearest: true })).toMatchObject({
    status: LookupStatus.LOOKUP_STATUS_FOUND,
    serial: newest,
  });
});

test('the state nearest to a moment before an object existed is its first one', async () => {
  const name = names.find((one) => !history.states[1]!.has(one) && history.states.some((state) => state.has(one)))!;
  const first = history.states.find((state) => state.has(name))!.get(name)!;
  const answer = await lookUp(name, atInstant(history.instants[0]!), { nearest: true });
  expect(answer).toMatchObject({
    status: LookupStatus.LOOKUP_STATUS_FOUND,
    object: { text: filtered(first), revision: 1 },
  });
  expect((await lookUp('person xx9-test', atSerial(1), { nearest: true })).status).toBe(
    LookupStatus.LOOKUP_STATUS_NOT_FOUND,
  );
});

test('texts that do not fit into an answer are asked for again', async () => {
  const name = names.find((one) => history.states.at(-1)!.has(one))!;
  const [, type, key] = /^(\S+) (.*)$/.exec(name)!;
  const large = `${person('LA1-TEST')}${`remarks:        ${'x'.repeat(1000)}\n`.repeat(1500)}`;
  await loadText(setup.context, large);
  const one = { moment: undefined, nearest: false };
  const requested = { key: { source: 'TEST', type: 'person', key: 'la1-test' }, ...one };
  const small = { key: { source: 'TEST', type: type!, key: key! }, ...one };
  const { answers } = await readerOf(setup.context).batchLookupPast({ lookups: [requested, requested, small] });
  expect(answers.map(({ status }) => status)).toEqual([
    LookupStatus.LOOKUP_STATUS_FOUND,
    LookupStatus.LOOKUP_STATUS_ASK_AGAIN,
    LookupStatus.LOOKUP_STATUS_ASK_AGAIN,
  ]);
  const again = await readerOf(setup.context).batchLookupPast({ lookups: [small] });
  expect(again.answers[0]!.status).toBe(LookupStatus.LOOKUP_STATUS_FOUND);
});

describe('copies of other registries', () => {
  const source = 'EXAMPLE-GRS';
  const inCopy = (name: string) =>
    person('CO1-GRS', name).replace('source:         TEST', 'source:         EXAMPLE-GRS');
  const other = person('CO2-GRS').replace('source:         TEST', 'source:         EXAMPLE-GRS');
  const load = (text: string) => loadText(setup.context, text, { source, replace: true, allowedDeletes: allDeletes });

  test('store their past as long as their changes', async () => {
    const { id } = setup.context.sources.byName(source)!;
    await load(`${inCopy('First')}\n${other}`);
    setup.clock.advance(dayMs);
    const second = setup.clock.now();
    const secondSerial = (await load(`${inCopy('Second')}\n${other}`)).summary!.serial;
    setup.clock.advance(dayMs);
    const gone = (await load(other)).summary!.serial;
    setup.clock.advance(dayMs);
    const fourthSerial = (await load(`${inCopy('Fourth')}\n${other}`)).summary!.serial;
    const nameAt = async (moment: Moment) => {
      const { status, object } = await lookUp('person co1-grs', moment, { source });
      return /person: +(\S+)/.exec(object?.text ?? '')?.[1] ?? status;
    };
    expect(await nameAt(atSerial(secondSerial - 1n))).toBe('First');
    await inTransaction(setup.context.writePool, (db) => trimChangesAndVersions(db, id, second));
    expect(await nameAt(atSerial(secondSerial - 2n))).toBe(LookupStatus.LOOKUP_STATUS_FORGOTTEN);
    expect(await nameAt(atSerial(secondSerial - 1n))).toBe('First');
    expect(await nameAt(atInstant(second))).toBe('Second');
    await inTransaction(setup.context.writePool, (db) =>
      trimChangesAndVersions(db, id, new Date(second.getTime() + 1000)),
    );
    expect(await nameAt(atSerial(secondSerial - 1n))).toBe(LookupStatus.LOOKUP_STATUS_FORGOTTEN);
    expect(await nameAt(atSerial(secondSerial))).toBe('Second');
    expect(await nameAt(atSerial(gone))).toBe(LookupStatus.LOOKUP_STATUS_DELETED);
    await inTransaction(setup.context.writePool, (db) => trimChangesAndVersions(db, id, setup.clock.now()));
    expect(await nameAt(atSerial(gone))).not.toBe(LookupStatus.LOOKUP_STATUS_FOUND);
    expect(await nameAt(atSerial(fourthSerial))).toBe('Fourth');
    expect(await nameAt(atInstant(second))).toBe(LookupStatus.LOOKUP_STATUS_FORGOTTEN);
  });
});
