import type { ExportObjectsRequest, ExportObjectsResponse } from '@cadastre/proto/objects';
import { View } from '@cadastre/proto/registry';
import { inTransaction } from '@cadastre/service';
import { expect, test } from 'vitest';
import { trimChangesAndVersions } from '../src/store/kept-changes.js';
import { randomHistory } from './random-history.js';
import { allDeletes, loadText, person, put, readerOf, remove, useContext } from './test-context.js';

const setup = useContext();

const request = (more: Partial<ExportObjectsRequest> = {}): ExportObjectsRequest => ({
  source: 'TEST',
  types: [],
  view: View.VIEW_COMPLETE,
  asOf: {},
  ...more,
});
const atSerial = (value: number | bigint) => ({ point: { $case: 'serial' as const, value: BigInt(value) } });

/** All texts of an export by name; what `meanwhile` does happens between the first two pages. */
async function textsOf(asked: ExportObjectsRequest, meanwhile = async () => {}) {
  const texts = new Map<string, string>();
  let first: ExportObjectsResponse | undefined;
  for await (const page of readerOf(setup.context).exportObjects(asked)) {
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

test('writes during an export do not show in it, and it goes on after a break', async () => {
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

test.each([
  ['the future', atSerial(2n ** 40n), 'invalid'],
  ['a time of the future', { point: { $case: 'instant' as const, value: new Date('2999-01-01') } }, 'invalid'],
])('an export of %s is refused', async (_, asOf, kind) => {
  await expect(textsOf(request({ asOf }))).rejects.toMatchObject({ kind });
});

test('an export of a copy ends when the copy forgets its moment', async () => {
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
