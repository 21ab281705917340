import {
  EnclosingScope,
  type FindPastRequest,
  type Moment,
  type PastContained,
  type PastPlace,
} from '@cadastre/proto/objects';
import type { RegistryObject } from '@cadastre/proto/registry';
import { View } from '@cadastre/proto/registry';
import { filterVersion, type ObjectTypeName, parseObject, parseResource, printObject, samples } from '@cadastre/rpsl';
import { inTransaction } from '@cadastre/service';
import { hash64 } from '@cadastre/service/hash64';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import { eraseHistory } from '../src/store/erase.js';
import { trimChangesAndVersions } from '../src/store/trimmed-changes.js';
import { type History, type Name, names, numbersFrom, randomHistory, serialAt } from './random-history.js';
import { allDeletes, hierarchyOf, inetnum, loadText, put, readerOf, remove, useContext } from './test-context.js';

const setup = useContext();
const seed = Number(process.env.CADASTRE_TEST_SEED ?? 17);
let history: History;

beforeAll(async () => {
  history = await randomHistory(setup, { seed, rounds: 200 });
}, 240_000);

const atSerial = (value: number | bigint): Moment => ({ point: { $case: 'serial', value: BigInt(value) } });
const atInstant = (value: Date): Moment => ({ point: { $case: 'instant', value } });

const inside = (resource: string, firstLevel = false): PastContained => ({ resource, firstLevel });

/** All pages. */
async function find(
  contained: PastContained,
  asOf: Moment,
  types: readonly ObjectTypeName[],
  { source = 'TEST', from }: { source?: string; from?: PastPlace } = {},
) {
  const found: RegistryObject[] = [];
  let place = from;
  do {
    const page = await readerOf(setup.context).findPast({ source, types: [...types], asOf, contained, from: place });
    found.push(...page.objects);
    place = page.next;
  } while (place !== undefined);
  return found;
}

const keysOf = async (...requested: Parameters<typeof find>) => (await find(...requested)).map(({ key }) => key);

/** The model's objects of a type. */
function objectsAt(serial: number, type: string): { key: string; text: string }[] {
  const all = [...history.states[serial]!].map(([name, text]) => ({ name, text }));
  return all
    .filter(({ name }) => name.startsWith(`${type} `))
    .map(({ name, text }) => ({ key: name.slice(type.length + 1), text }));
}

function boundsOf(text: string): { first: bigint; last: bigint } {
  const resource = parseResource(text);
  if (resource === undefined || 'as' in resource) throw new Error(`no addresses: ${text}`);
  return resource;
}

type Bounds = ReturnType<typeof boundsOf>;
const contains = (one: Bounds, other: Bounds) => one.first <= other.first && one.last >= other.last;
const isLarger = (one: Bounds, other: Bounds) => contains(one, other) && !contains(other, one);

function networksAt(serial: number) {
  return objectsAt(serial, 'inetnum').map((one) => ({ ...one, ...boundsOf(one.key) }));
}

function expectedInside(serial: number, resource: string, firstLevel: boolean): string[] {
  const all = networksAt(serial).filter((one) => isLarger(boundsOf(resource), one));
  return all
    .filter((one) => !firstLevel || !all.some((other) => isLarger(other, one)))
    .sort((a, b) => Number(a.first - b.first) || Number(b.last - a.last))
    .map(({ key }) => key);
}

function expectedNearest(serial: number, resource: string): string[] {
  const all = networksAt(serial).filter((one) => contains(one, boundsOf(resource)));
  const sorted = all.sort((a, b) => Number(a.last - a.first - (b.last - b.first)));
  return sorted.slice(0, 1).map(({ key }) => key);
}

function shown(text: string): string {
  const parsed = parseObject(text);
  if (!parsed.ok) throw new Error('does not parse');
  return printObject(filterVersion(parsed.object));
}

const resources = ['10.0.0.0/8', '10.1.0.0/16', '10.1.0.0 - 10.1.2.9', '10.1.1.0/24', '10.0.0.0 - 10.1.1.127', '0/0'];

const instants = inject('counts').pastInstants;

test(`${instants} random instants (seed ${seed}) are what a replay of the changes says`, async () => {
  const random = numbersFrom(seed);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
  const [first, last] = [history.instants[0]!.getTime(), history.instants.at(-1)!.getTime()];
  const reader = readerOf(setup.context);
  for (let n = 0; n < instants; n++) {
    const instant = new Date(Math.floor(first + random() * (last - first + 1)));
    const [serial, asOf] = [serialAt(history, instant), atInstant(instant)];
    const [resource, firstLevel, name] = [pick(resources), random() < 0.5, pick(names)];
    const [, type, ownKey] = /^(\S+) (.*)$/.exec(name)!;
    const { answers } = await reader.batchLookupPast({
      lookups: [{ key: { source: 'TEST', type: type!, key: ownKey! }, moment: asOf, nearest: false }],
    });
    const nearest = await hierarchyOf(setup.context).batchFindEnclosing({
      ...{ source: 'TEST', resources: [resource], types: ['inetnum'], scope: EnclosingScope.ENCLOSING_SCOPE_NEAREST },
      ...{ view: View.VIEW_FILTERED, shareObjects: true, asOf },
    });
    const text = history.states[serial]!.get(name as Name);
    expect({
      serial,
      lookup: answers[0]!.object?.text,
      nearest: nearest.objects.map((one) => one.key),
      [`inside ${resource} ${firstLevel}`]: await keysOf(inside(resource, firstLevel), asOf, ['inetnum']),
    }).toEqual({
      serial,
      lookup: text && shown(text),
      nearest: expectedNearest(serial, resource),
      [`inside ${resource} ${firstLevel}`]: expectedInside(serial, resource, firstLevel),
    });
  }
}, 240_000);

test('a result shows what versions show', async () => {
  const range = '172.16.0.0 - 172.16.0.255';
  const serial = await put(setup.context, inetnum(range));
  await remove(setup.context, 'inetnum', range);
  const found = await find(inside('172.16.0.0/12'), atSerial(serial), ['inetnum']);
  expect(found.map(({ key }) => key)).toEqual([range]);
  expect(found[0]!.text).not.toMatch(/^(?:admin-c|tech-c|notify):/m);
});

test('erased texts are found by nothing', async () => {
  const range = '172.17.0.0 - 172.17.0.255';
  const inner = '172.17.0.0 - 172.17.0.127';
  await put(setup.context, inetnum(range));
  const serial = await put(setup.context, inetnum(inner));
  await put(setup.context, inetnum(inner).replace('netname:', 'remarks: new\nnetname:'));
  await remove(setup.context, 'inetnum', range);
  const asOf = atSerial(serial);
  const search = async () => [
    await keysOf(inside('172.17.0.0/16'), asOf, ['inetnum']),
    await keysOf(inside('172.17.0.0/16', true), asOf, ['inetnum']),
    (
      await hierarchyOf(setup.context).batchFindEnclosing({
        ...{ source: 'TEST', resources: ['172.17.0.200'], types: ['inetnum'], scope: 0 },
        ...{ view: View.VIEW_FILTERED, shareObjects: true, asOf },
      })
    ).objects.map(({ key }) => key),
  ];
  expect(await search()).toEqual([[range, inner], [range], [range]]);
  const { id: sourceId } = setup.context.sources.main;
  const erase = (key: string, lastRevision: number) =>
    inTransaction(setup.context.writePool, (db) =>
      eraseHistory(
        db,
        { sourceId, type: 'inetnum', key },
        { lastRevision, instant: setup.clock.now(), erasedBy: 'test', reason: 'test' },
        0,
      ),
    );
  await erase(range, 1);
  expect(await search()).toEqual([[inner], [inner], []]);
  await erase(inner, 1);
  expect(await search()).toEqual([[], [], []]);
});

describe('a part that is too large for one statement', () => {
  const count = 21_000;
  const asOf = () => atSerial(history.states.length);

  beforeAll(async () => {
    // Networks of one address each, which name a mntner, and routes with the same range.
    await setup.context.writePool.query(
      `with taken as (update source set serial = serial + 1 where id = $1 returning serial)
       insert into object (source_id, type, revision, serial, announced, modified, key, text, refs, span)
       select $1, 1, 1, $2, $2, now(), a || ' - ' || a,
         format(E'inetnum:        %s - %s\nmnt-by:         HOT-MNT\nsource:         TEST\n', a, a), array[$3::bigint],
         int8range(n, n + 1)
       from taken, generate_series(3221225472, 3221225472 + $4 - 1) as n, lateral (
         select format('%s.%s.%s.%s', n >> 24, n >> 16 & 255, n >> 8 & 255, n & 255) as a
       ) address`,
      [setup.context.sources.main.id, history.states.length, hash64('mntner:hot-mnt'), count],
    );
    await setup.context.writePool.query(
      `insert into object (source_id, type, revision, serial, announced, modified, key, text, refs, span)
       select $1, 6, 1, $2, $2, now(), '198.51.0.0/16as' || n,
         format(E'route:          198.51.0.0/16\norigin:         AS%s\nmnt-by:         X-MNT\nsource:         TEST\n', n), '{}',
         int8range(3325231104, 3325231104 + 65536)
       from generate_series(10000, 11500) as n`,
      [setup.context.sources.main.id, history.states.length],
    );
    await put(setup.context, samples.route.replace(/^route:.*$/m, 'route: 198.51.100.0/24'));
  });

  test('is found in order, page by page', async () => {
    const found = await keysOf(inside('192.0.0.0/20'), asOf(), ['inetnum']);
    expect(found).toHaveLength(4096);
    expect(found).toEqual(found.toSorted((a, b) => Number(boundsOf(a).first - boundsOf(b).first)));
    expect(await keysOf(inside('192.0.0.0/20', true), asOf(), ['inetnum'])).toEqual(found);
  });

  test('may have the same range many times, which is one of the first level', async () => {
    const newest: Moment = { point: undefined };
    expect(await keysOf(inside('198.0.0.0/8', true), newest, ['inetnum', 'route'])).toHaveLength(1501);
    expect(await keysOf(inside('198.0.0.0/8'), newest, ['route'])).toHaveLength(1502);
  });
});

test('a page has 1 MiB of text, or one object', async () => {
  const large = (key: string) =>
    `${inetnum(key).replace('ONE-MNT', 'BIG-MNT')}`.replace(
      /^source/m,
      `${`remarks:        ${'x'.repeat(1000)}\n`.repeat(700)}source`,
    );
  for (const n of [0, 1, 2]) await put(setup.context, large(`172.18.0.${n} - 172.18.0.${n}`));
  const contained = inside('172.18.0.0/24');
  const page = await readerOf(setup.context).findPast({
    source: 'TEST',
    types: ['inetnum'],
    asOf: undefined,
    contained,
  });
  expect([page.objects.length, page.next?.key]).toEqual([1, '172.18.0.1 - 172.18.0.1']);
  expect(await find(contained, { point: undefined }, ['inetnum'])).toHaveLength(3);
});

test.each<[string, Partial<FindPastRequest>]>([
  ['no type', { types: [] }],
  ['an unknown type', { types: ['network'] }],
  ['no range', { contained: undefined }],
  ['AS numbers', { contained: inside('AS1 - AS9') }],
  ['what is no range', { contained: inside('x') }],
  ['a place of another type', { from: { type: 'route', key: '', first: '', last: '', continued: false } }],
  ['a place that is none', { from: { type: 'inetnum', key: '', first: 'x', last: '', continued: false } }],
  ['the future', { asOf: atSerial(10n ** 9n) }],
])('%s is refused', async (_, wrong) => {
  const request = { source: 'TEST', types: ['inetnum'], asOf: atSerial(1), contained: inside('10.0.0.0/8'), ...wrong };
  await expect(readerOf(setup.context).findPast(request)).rejects.toMatchObject({ kind: 'invalid' });
});

test('a copy finds what it stores', async () => {
  const source = 'EXAMPLE-GRS';
  const { id } = setup.context.sources.byName(source)!;
  const range = '192.0.2.0 - 192.0.2.255';
  const copied = inetnum(range).replace(/^source:.*$/m, `source: ${source}`);
  const load = (text: string) => loadText(setup.context, text, { source, replace: true, allowedDeletes: allDeletes });
  const { serial } = (await load(copied)).summary!;
  await load(copied.replace('inetnum:        192.0.2.0', 'inetnum: 192.0.2.1'));
  const found = () => keysOf(inside('192.0.2.0/23'), atSerial(serial), ['inetnum'], { source });
  expect(await found()).toEqual([range]);
  setup.clock.advance(1000);
  await inTransaction(setup.context.writePool, (db) => trimChangesAndVersions(db, id, setup.clock.now()));
  await expect(found()).rejects.toMatchObject({ kind: 'out-of-range' });
});

test('a registry that was older than this index does not answer for earlier moments', async () => {
  const { id } = setup.context.sources.main;
  await setup.context.writePool.query('update source set ranges_from = 10 where id = $1', [id]);
  const answers = (serial: number) => keysOf(inside('10.0.0.0/8'), atSerial(serial), ['inetnum']);
  await expect(answers(9)).rejects.toMatchObject({ kind: 'out-of-range' });
  await expect(answers(10)).resolves.toBeDefined();
});
