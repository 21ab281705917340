import { EnclosingScope, type Moment } from '@cadastre/proto/objects';
import { View } from '@cadastre/proto/registry';
import { parseResource } from '@cadastre/rpsl';
import { inTransaction } from '@cadastre/service';
import { beforeAll, expect, test } from 'vitest';
import { trimChangesAndVersions } from '../src/store/trimmed-changes.js';
import { type History, randomHistory } from './random-history.js';
import { allDeletes, hierarchyOf, inetnum, loadText, put, remove, useContext } from './test-context.js';

const setup = useContext();
let history: History;

beforeAll(async () => {
  history = await randomHistory(setup, { seed: 7, rounds: 120 });
});

const atSerial = (value: number | bigint): Moment => ({ point: { $case: 'serial', value: BigInt(value) } });

const resources = ['10.1.1.7', '10.1.1.0/24', '10.1.0.0 - 10.1.2.9', '10.2.0.0/16', '10.0.0.0/8', '11.0.0.0'];

async function enclosing(
  asOf: Moment,
  scope: EnclosingScope,
  requested: readonly string[] = resources,
  source = 'TEST',
) {
  const { answers } = await hierarchyOf(setup.context).batchFindEnclosing({
    source,
    resources: [...requested],
    types: ['inetnum'],
    scope,
    view: View.VIEW_FILTERED,
    shareObjects: false,
    asOf,
  });
  return answers.map(({ objects }) => objects.map(({ key }) => key));
}

function boundsOf(text: string): { first: bigint; last: bigint } {
  const resource = parseResource(text);
  if (resource === undefined || 'as' in resource) throw new Error(`no addresses: ${text}`);
  return resource;
}

/** The objects of the model around a resource, smallest first. */
function expected(serial: number, scope: EnclosingScope, resource: string): string[] {
  const { first, last } = boundsOf(resource);
  const all = [...history.states[serial]!.keys()]
    .filter((name) => name.startsWith('inetnum '))
    .map((name) => ({ key: name.slice('inetnum '.length), ...boundsOf(name.slice('inetnum '.length)) }))
    .filter((one) => one.first <= first && one.last >= last)
    .sort((a, b) => Number(a.last - a.first - (b.last - b.first)));
  const larger = all.filter((one) => one.first < first || one.last > last);
  switch (scope) {
    case EnclosingScope.ENCLOSING_SCOPE_ALL:
      return all.map(({ key }) => key);
    case EnclosingScope.ENCLOSING_SCOPE_EXACT:
      return all.filter((one) => !larger.includes(one)).map(({ key }) => key);
    case EnclosingScope.ENCLOSING_SCOPE_PARENT:
      return larger.slice(0, 1).map(({ key }) => key);
    default:
      return all.slice(0, 1).map(({ key }) => key);
  }
}

test.each([
  ['nearest', EnclosingScope.ENCLOSING_SCOPE_NEAREST],
  ['exact', EnclosingScope.ENCLOSING_SCOPE_EXACT],
  ['parent', EnclosingScope.ENCLOSING_SCOPE_PARENT],
  ['all', EnclosingScope.ENCLOSING_SCOPE_ALL],
])('what encloses a range (%s) at every serial is what a replay says', async (_, scope) => {
  for (const serial of history.states.keys()) {
    expect([serial, await enclosing(atSerial(serial), scope)]).toEqual([
      serial,
      resources.map((resource) => expected(serial, scope, resource)),
    ]);
  }
});

test('shows what versions show; systems of the operator see everything; there are no excerpts', async () => {
  const key = '172.16.0.0 - 172.16.0.255';
  const serial = await put(setup.context, inetnum(key));
  await remove(setup.context, 'inetnum', key);
  const request = { source: 'TEST', resources: ['172.16.0.1'], types: [], scope: 0, shareObjects: true };
  const asOf = atSerial(serial);
  const hierarchy = hierarchyOf(setup.context);
  const filtered = await hierarchy.batchFindEnclosing({ ...request, view: View.VIEW_UNFILTERED, asOf });
  expect(filtered.objects[0]?.text).not.toContain('admin-c');
  const complete = await hierarchy.batchFindEnclosing({ ...request, view: View.VIEW_COMPLETE, asOf });
  expect(complete.objects[0]?.text).toContain('admin-c');
  const excerpt = { attributes: ['netname'], related: 0 };
  await expect(
    hierarchy.batchFindEnclosing({ ...request, view: View.VIEW_FILTERED, asOf, excerpt }),
  ).rejects.toMatchObject({ kind: 'invalid' });
  await expect(enclosing(atSerial(serial + 100n), 0)).rejects.toMatchObject({ kind: 'invalid' });
});

test('a registry that was older than this index does not answer for earlier moments', async () => {
  const { id } = setup.context.sources.main;
  const newest = BigInt(history.states.length - 1);
  await setup.context.writePool.query('update source set ranges_from = $2 where id = $1', [id, newest]);
  await expect(enclosing(atSerial(newest - 1n), 0)).rejects.toMatchObject({ kind: 'out-of-range' });
  expect(await enclosing(atSerial(newest), 0)).toHaveLength(resources.length);
});

test('a copy finds deleted networks while it stores them', async () => {
  const source = 'EXAMPLE-GRS';
  const { id } = setup.context.sources.byName(source)!;
  const copied = (range: string) => inetnum(range).replace(/^source:.*$/m, `source: ${source}`);
  const [outer, inner] = ['192.0.2.0 - 192.0.2.255', '192.0.2.0 - 192.0.2.127'];
  const load = (...ranges: string[]) =>
    loadText(setup.context, ranges.map(copied).join('\n'), { source, replace: true, allowedDeletes: allDeletes });
  const { serial } = (await load(outer, inner)).summary!;
  await load(outer);
  const nearest = () => enclosing(atSerial(serial), 0, ['192.0.2.1'], source);
  expect(await nearest()).toEqual([[inner]]);
  setup.clock.advance(1000);
  await inTransaction(setup.context.writePool, (db) => trimChangesAndVersions(db, id, setup.clock.now()));
  await expect(nearest()).rejects.toMatchObject({ kind: 'out-of-range' });
  const { rows } = await setup.context.readPool.query('select from former_span where source_id = $1', [id]);
  expect(rows).toEqual([]);
});
