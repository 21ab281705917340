import type { WatchRequest, WatchResponse } from '@cadastre/proto/objects';
import { inTransaction } from '@cadastre/service';
import { testLogger } from '@cadastre/service/testing';
import { describe, expect, test } from 'vitest';
import { changeTrimming } from '../src/removal-rounds.js';
import { lockSourceAlone } from '../src/store/locks.js';
import { currentSerial } from '../src/store/serials.js';
import { trimBatchSize, trimChanges, trimChangesAndVersions, trimmedSerial } from '../src/store/trimmed-changes.js';
import { allDeletes, feedOf, loadText, lookup, person, put, readerOf, remove, useContext } from './test-context.js';

const setup = useContext();
const dayMs = 24 * 60 * 60 * 1000;

const sourceId = () => setup.context.sources.main.id;
const trimmed = () => trimmedSerial(setup.context.readPool, sourceId());

/** The feed, until the test leaves its loop. */
function watch(request: Partial<WatchRequest>) {
  const all = { source: 'TEST', afterSerial: 0n, keysOnly: false, fromNow: false, latestOnly: false };
  return feedOf(setup.context).watch({ ...all, ...request }, { deadlineMs: 60_000 });
}

async function serialsUntil(last: bigint, request: Partial<WatchRequest>): Promise<bigint[]> {
  const serials: bigint[] = [];
  for await (const { changes, serial } of watch(request)) {
    serials.push(...changes.map((change) => change.serial));
    if (serial >= last) break;
  }
  return serials;
}

/** The work of a process, round after round. */
function trimmingOf(options: { days: number; keepsVersionsOfCopies?: boolean }) {
  const rest = { context: setup.context, logger: testLogger(), roundMs: 1 };
  return changeTrimming({ keepsVersionsOfCopies: false, ...rest, ...options });
}

/** Removes changes before now, as a process does. */
function trim(): Promise<number> {
  return inTransaction(setup.context.writePool, (db) => trimChanges(db, sourceId(), setup.clock.now()));
}

test('changes from a certain age on are removed in the background, the others, versions and serials stay', async () => {
  await put(setup.context, person('OL1-TEST', 'First'));
  await put(setup.context, person('OL1-TEST', 'Second'));
  const old = await remove(setup.context, 'person', 'ol1-test');
  setup.clock.advance(3 * dayMs);
  const young = await put(setup.context, person('YO1-TEST'));
  const trimming = trimmingOf({ days: 2 });
  await trimming.start();
  await expect.poll(trimmed).toBe(old);
  await trimming.stop();
  expect(await serialsUntil(young, { afterSerial: old })).toEqual([young]);
  const { sources } = await readerOf(setup.context).listSources({});
  expect(sources.map(({ oldestSerial }) => oldestSerial)).toEqual([young, undefined]);
  const { versions } = await readerOf(setup.context).listVersions({
    key: { source: 'TEST', type: 'person', key: 'OL1-TEST' },
  });
  expect(versions.map(({ serial }) => serial)).toEqual([old - 2n, old - 1n, old]);
  expect(await put(setup.context, person('YO2-TEST'))).toBe(young + 1n);
});

test.each([true, false])(
  'a follower that is further behind than the oldest change has to begin anew (latest only: %s)',
  async (latestOnly) => {
    await put(setup.context, person('BE1-TEST'));
    setup.clock.advance(dayMs);
    await trim();
    const floor = await trimmed();
    const last = await put(setup.context, person('BE2-TEST'));
    for (const afterSerial of [0n, floor - 1n]) {
      await expect(serialsUntil(last, { afterSerial, latestOnly })).rejects.toMatchObject({
        kind: 'out-of-range',
        message: expect.stringContaining(`The oldest change has the serial ${floor + 1n}: start from an export`),
      });
    }
    expect(await serialsUntil(last, { afterSerial: floor, latestOnly })).toEqual([last]);
  },
);

test('when nothing is left, only a follower with the newest serial continues', async () => {
  const newest = await put(setup.context, person('NO1-TEST'));
  setup.clock.advance(dayMs);
  await trim();
  expect(await trimmed()).toBe(newest);
  expect(await currentSerial(setup.context.readPool, sourceId())).toBe(newest);
  await expect(serialsUntil(newest, { afterSerial: newest - 1n })).rejects.toMatchObject({ kind: 'out-of-range' });
  const responses = watch({ afterSerial: newest })[Symbol.asyncIterator]();
  const next = responses.next();
  const serial = await put(setup.context, person('NO2-TEST'));
  expect((await next).value).toMatchObject({ serial, changes: [{ serial }] });
  await responses.return?.();
});

test('a follower that reads slowly is told when what comes next was removed meanwhile', async () => {
  const start = await currentSerial(setup.context.readPool, sourceId());
  // Four pages: the feed reads no more than two ahead of its reader.
  await loadText(setup.context, Array.from({ length: 2000 }, (_, n) => person(`SL${n + 1}-TEST`)).join('\n'));
  const responses = watch({ afterSerial: start })[Symbol.asyncIterator]();
  const first = (await responses.next()) as { value: WatchResponse };
  expect(first.value.changes[0]?.serial).toBe(start + 1n);
  setup.clock.advance(dayMs);
  expect(await trim()).toBeGreaterThanOrEqual(2000);
  const rest = async () => {
    for (let done = false; !done; ) done = (await responses.next()).done === true;
  };
  await expect(rest()).rejects.toMatchObject({ kind: 'out-of-range' });
});

test('one transaction removes a bounded number, and one process at a time', async () => {
  const texts = Array.from({ length: trimBatchSize + 1 }, (_, n) => person(`MA${n + 1}-TEST`));
  await loadText(setup.context, texts.join('\n'));
  setup.clock.advance(dayMs);
  await inTransaction(setup.context.writePool, async (db) => {
    expect(await trimChanges(db, sourceId(), setup.clock.now())).toBe(trimBatchSize);
    expect(await trim()).toBe(0);
  });
  expect(await trim()).toBeGreaterThan(0);
  expect(await trim()).toBe(0);
});

test('the operator learns which follower lost its place', async () => {
  const lost: string[][] = [];
  const context = { ...setup.context, countLostFollower: (...labels: string[]) => lost.push(labels) };
  await put(context, person('LO1-TEST'));
  setup.clock.advance(dayMs);
  await trim();
  const newest = await currentSerial(context.readPool, sourceId());
  for (const afterSerial of [0n, newest + 1n]) {
    const request = { source: 'TEST', afterSerial, keysOnly: false, fromNow: false, latestOnly: false };
    await expect(feedOf(context).watch(request)[Symbol.asyncIterator]().next()).rejects.toMatchObject({
      kind: 'out-of-range',
    });
  }
  expect(lost).toEqual([
    ['TEST', 'local'],
    ['TEST', 'local'],
  ]);
});

describe('copies of other registries', () => {
  const source = 'EXAMPLE-GRS';
  const grsId = () => setup.context.sources.byName(source)!.id;
  const floor = () => trimmedSerial(setup.context.readPool, grsId());
  const newest = () => currentSerial(setup.context.readPool, grsId());
  const copied = (handle: string, name?: string) => person(handle, name).replace(/^source:.*$/m, 'source: EXAMPLE');
  const replaceBy = (...texts: string[]) =>
    loadText(setup.context, texts.join('\n'), { source, replace: true, allowedDeletes: allDeletes });
  const revisions = async (key: string) => {
    const listed = readerOf(setup.context).listVersions({ key: { source, type: 'person', key } });
    return await listed.then(
      ({ versions }) => versions.map(({ revision }) => revision),
      () => [],
    );
  };
  const trimmed = async (options: { days: number; keepsVersionsOfCopies?: boolean }, until: bigint) => {
    const trimming = trimmingOf(options);
    await trimming.start();
    await expect.poll(floor).toBe(until);
    await trimming.stop();
  };

  test('keep the current version, and others for as long as the feed has the changes that end them', async () => {
    await replaceBy(copied('CA1-TEST', 'One'), copied('CA2-TEST', 'One'), copied('CA3-TEST', 'One'));
    await replaceBy(copied('CA1-TEST', 'Two'), copied('CA2-TEST', 'Two'));
    const first = await newest();
    setup.clock.advance(2 * dayMs);
    await replaceBy(copied('CA1-TEST', 'Three'));
    const last = await newest();
    expect([await revisions('CA1-TEST'), await revisions('CA2-TEST')]).toEqual([
      [1, 2, 3],
      [1, 2, 3],
    ]);
    await trimmed({ days: 1 }, first);
    // Followers still need the states that the stored changes announce, and questions about the past those before them.
    expect(await Promise.all(['CA1-TEST', 'CA2-TEST', 'CA3-TEST'].map(revisions))).toEqual([[2, 3], [2, 3], []]);
    const announced: [string, string][] = [];
    for await (const { changes, serial } of watch({ source, afterSerial: first })) {
      for (const { object } of changes) announced.push([object!.key, /^person: +(.*)$/m.exec(object!.text)![1]!]);
      if (serial >= last) break;
    }
    expect(announced.sort()).toEqual([
      ['CA1-TEST', 'Three'],
      ['CA2-TEST', 'Two'],
    ]);
    setup.clock.advance(2 * dayMs);
    await trimmed({ days: 1 }, last);
    expect(await Promise.all(['CA1-TEST', 'CA2-TEST'].map(revisions))).toEqual([[3], []]);
    const { rows } = await setup.context.readPool.query(
      'select (select count(*) from object where source_id = $1) as objects, (select count(*) from version where source_id = $1) as versions',
      [grsId()],
    );
    expect(rows).toEqual([{ objects: 1n, versions: 0n }]);
  });

  test('never repeat a revision of a forgotten object', async () => {
    await replaceBy(copied('CB1-TEST'), copied('CB2-TEST'));
    const [forgotten = 0] = (await revisions('CB2-TEST')).slice(-1);
    await replaceBy(copied('CB1-TEST'));
    setup.clock.advance(2 * dayMs);
    await trimmed({ days: 1 }, await newest());
    const { summary } = await replaceBy(copied('CB1-TEST'), copied('CB2-TEST', 'Again'));
    expect(summary).toMatchObject({ created: 1n, unchanged: 1n });
    const again = await revisions('CB2-TEST');
    expect(again).toHaveLength(1);
    expect(again[0]).toBeGreaterThan(forgotten + 1);
    expect((await lookup(setup.context, 'person', 'CB2-TEST', 0, source))?.text).toContain('Again');
  });

  test('keep all versions when the operator wants them', async () => {
    await replaceBy(copied('CC1-TEST', 'One'), copied('CC2-TEST'));
    await replaceBy(copied('CC1-TEST', 'Two'));
    setup.clock.advance(2 * dayMs);
    await trimmed({ days: 1, keepsVersionsOfCopies: true }, await newest());
    for (const key of ['CC1-TEST', 'CC2-TEST']) expect(await revisions(key)).toHaveLength(2);
  });

  test('forget nothing while a load compares its batch', async () => {
    await replaceBy(copied('CD1-TEST'), copied('CD2-TEST'));
    await replaceBy(copied('CD1-TEST'));
    setup.clock.advance(2 * dayMs);
    let forgetting: Promise<number> | undefined;
    await inTransaction(setup.context.loadPool, async (load) => {
      await lockSourceAlone(load, grsId());
      forgetting = inTransaction(setup.context.writePool, (db) =>
        trimChangesAndVersions(db, grsId(), setup.clock.now()),
      );
      await expect
        .poll(async () => {
          const { rows } = await setup.context.readPool.query(
            `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
          );
          return rows.length;
        })
        .toBe(1);
      expect(await revisions('CD2-TEST')).toHaveLength(2);
    });
    expect(await forgetting).toBeGreaterThan(0);
    expect(await revisions('CD2-TEST')).toEqual([]);
  });
});
