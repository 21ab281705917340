import type { WatchRequest, WatchResponse } from '@cadastre/proto/objects';
import { inTransaction } from '@cadastre/service';
import { testLogger } from '@cadastre/service/testing';
import { expect, test } from 'vitest';
import { trimBatchSize, trimChanges, trimmedSerial } from '../src/store/kept-changes.js';
import { currentSerial } from '../src/store/serials.js';
import { changeTrimming } from '../src/trim-changes.js';
import { feedOf, loadText, person, put, readerOf, remove, useContext } from './test-context.js';

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
  const trimming = changeTrimming({ context: setup.context, days: 2, logger: testLogger(), roundMs: 1 });
  await trimming.start();
  await expect.poll(trimmed).toBe(old);
  await trimming.stop();
  expect(await serialsUntil(young, { afterSerial: old })).toEqual([young]);
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
