import type { ExportObjectsRequest, ExportObjectsResponse } from '@cadastre/proto/objects';
import { View } from '@cadastre/proto/registry';
import { inTransaction } from '@cadastre/service';
import { expect, test } from 'vitest';
import { operations } from '../src/store/codes.js';
import { trimChangesAndVersions } from '../src/store/trimmed-changes.js';
import { numbersFrom, randomHistory } from './random-history.js';
import { allChanges, allDeletes, loadText, lookup, person, put, readerOf, remove, useContext } from './test-context.js';

const setup = useContext();

const request = (more: Partial<ExportObjectsRequest> = {}): ExportObjectsRequest => ({
  source: 'TEST',
  types: [],
  view: View.VIEW_COMPLETE,
  asOf: {},
  ...more,
});
const atSerial = (value: number | bigint) => ({ point: { $case: 'serial' as const, value: BigInt(value) } });

/** All texts of an export by name; `meanwhile` runs between the first two pages. */
async function textsOf(requested: ExportObjectsRequest, meanwhile = async () => {}) {
  const texts = new Map<string, string>();
  let first: ExportObjectsResponse | undefined;
  for await (const page of readerOf(setup.context).exportObjects(requested)) {
    if (first === undefined) await meanwhile();
    first ??= page;
    for (const { type, key, text } of page.objects) texts.set(`${type} ${key.toLowerCase()}`, text);
  }
  return { first: first!, texts };
}

test('an export as of each serial is what a replay up to it leaves', async () => {
  const { states, instants } = await randomHistory(setup, { seed: 61, rounds: 60 });
  for (const [serial, state] of states.entries()) {
    const { first, texts } = await textsOf(request({ asOf: atSerial(serial) }));
    expect(first).toMatchObject({ serial: BigInt(serial), exact: true });
    expect([...texts].sort()).toEqual([...state].sort());
  }
  const last = instants.at(-1)!;
  const { first } = await textsOf(request({ asOf: { point: { $case: 'instant', value: last } } }));
  expect(first).toMatchObject({ serial: BigInt(states.length - 1), instant: last });
});

test('writes during an export do not show in it, and it resumes after a break', async () => {
  const persons = Array.from({ length: 1300 }, (_, n) => person(`EX${n + 1}-TEST`));
  await loadText(setup.context, persons.join('\n'));
  const before = await textsOf(request({ types: ['person'] }));
  const positions: string[] = [];
  const during = await textsOf(request({ types: ['person'] }), async () => {
    await put(setup.context, person('EX1299-TEST', 'Changed'));
    await remove(setup.context, 'person', 'ex1298-test');
    await put(setup.context, person('EZ1-TEST'));
    await loadText(setup.context, person('EX1297-TEST', 'Loaded'));
  });
  expect(during).toEqual(before);
  const asOf = atSerial(before.first.serial);
  for await (const { position } of readerOf(setup.context).exportObjects(request({ types: ['person'], asOf }))) {
    if (position !== undefined) positions.push(position);
  }
  expect(positions.length).toBeGreaterThan(2);
  const rest = await textsOf(request({ types: ['person'], asOf, after: positions[0] }));
  expect([...rest.texts]).toEqual([...before.texts].slice(500));
  const now = await textsOf(request({ types: ['person'] }));
  expect(now.texts.get('person ez1-test')).toBeDefined();
  expect(now.texts.get('person ex1298-test')).toBeUndefined();
});

test('every export during concurrent writes is what the feed up to its serial leaves', async () => {
  const { context } = setup;
  const { id } = context.sources.main;
  const random = numbersFrom(21);
  const handles = Array.from({ length: 40 }, (_, n) => `EW${n + 1}-TEST`);
  await loadText(context, handles.map((handle) => person(handle)).join('\n'));
  let exporting = true;
  const write = async (writer: number, own: readonly string[]) => {
    for (let round = 0; exporting; round++) {
      const handle = own[Math.floor(random() * own.length)]!;
      const text = person(handle, `Writer ${writer} round ${round}`);
      const exists = await lookup(context, 'person', handle);
      if (exists && random() < 0.4) await remove(context, 'person', handle.toLowerCase());
      else if (writer > 0) await put(context, text);
      else await loadText(context, text);
    }
  };
  const writers = [0, 1, 2, 3].map((writer) =>
    write(
      writer,
      handles.filter((_, n) => n % 4 === writer),
    ),
  );
  const exports: Awaited<ReturnType<typeof textsOf>>[] = [];
  const serials = () => new Set(exports.map(({ first }) => first.serial));
  try {
    while (serials().size < 20) exports.push(await textsOf(request()));
  } finally {
    exporting = false;
    await Promise.all(writers);
  }
  const upTo = exports.at(-1)!.first.serial;
  const changes = await allChanges(context, id, { after: 0n, upTo });
  for (const { first, texts } of exports) {
    const replayed = new Map<string, string>();
    for (const { serial, operation, stored } of changes) {
      if (serial > first.serial) break;
      const { type, key, text } = stored;
      if (operation === operations.delete) replayed.delete(`${type} ${key}`);
      else replayed.set(`${type} ${key}`, text);
    }
    expect([...texts].sort()).toEqual([...replayed].sort());
  }
});

test.each([
  ['the future', atSerial(2n ** 40n), 'invalid'],
  ['a time of the future', { point: { $case: 'instant' as const, value: new Date('2999-01-01') } }, 'invalid'],
])('an export of %s is refused', async (_, asOf, kind) => {
  await expect(textsOf(request({ asOf }))).rejects.toMatchObject({ kind });
});

test('an export of a copy ends when the copy removes its moment', async () => {
  const source = 'EXAMPLE-GRS';
  const { id } = setup.context.sources.byName(source)!;
  const copied = (n: number, name?: string) => person(`CO${n}-GRS`, name).replace(/^source:.*$/m, `source: ${source}`);
  const load = (texts: string[]) =>
    loadText(setup.context, texts.join('\n'), { source, replace: true, allowedDeletes: allDeletes });
  await load([1, 2].map((n) => copied(n, 'First')));
  const { summary } = await load([copied(1, 'Second'), copied(2, 'First')]);
  const asOf = atSerial(summary!.serial - 1n);
  expect((await textsOf(request({ source, asOf }))).texts.get('person co1-grs')).toContain('First');
  const ended = textsOf(request({ source, asOf }), async () => {
    setup.clock.advance(1000);
    await inTransaction(setup.context.writePool, (db) => trimChangesAndVersions(db, id, setup.clock.now()));
  });
  await expect(ended).rejects.toMatchObject({ kind: 'out-of-range' });
});
