import { ContainedScope, EnclosingScope, LookupStatus } from '@cadastre/proto/objects';
import { type RegistryObject, View } from '@cadastre/proto/registry';
import pg from 'pg';
import { beforeAll, expect, test, vi } from 'vitest';
import { currentSerial } from '../src/store/serials.js';
import { feedOf, hierarchyOf, inetnum, loadText, person, put, readerOf, useContext } from './test-context.js';

const setup = useContext();
const mebibyte = 1024 * 1024;

/** About 0.9 MB more of an object. */
const remarks = `remarks:        ${'x'.repeat(1000)}\n`.repeat(900);
const small = Array.from({ length: 600 }, (_, n) => person(`SM${n + 1}-TEST`));
const large = Array.from({ length: 10 }, (_, n) => person(`LA${n + 1}-TEST`) + remarks);
const huge = person('HU1-TEST') + remarks + remarks;
const largeNetworks = Array.from({ length: 6 }, (_, n) => inetnum(`192.0.2.${n} - 192.0.2.${n}`) + remarks);
const smallNetworks = Array.from({ length: 30 }, (_, n) => inetnum(`192.0.2.${n + 100} - 192.0.2.${n + 100}`));
const networks = [...largeNetworks, ...smallNetworks];
const nested = [0, 1, 2, 3].map((n) => inetnum(`198.51.100.0 - 198.51.100.${255 - n}`) + remarks);

beforeAll(async () => {
  const texts = [...small.slice(0, 300), ...large, huge, ...small.slice(300), ...networks, ...nested];
  const { rejected } = await loadText(setup.context, texts.join('\n'));
  expect(rejected).toEqual([]);
});

const keysOf = (objects: readonly (RegistryObject | undefined)[]) => objects.map((object) => object?.key).sort();
const persons = [...small, ...large, huge].map((text) => /nic-hdl: +(\S+)/.exec(text)![1]).sort();

/** Every page is within the bounds, and as full as these allow. */
function expectGoodPages(pages: readonly (readonly RegistryObject[])[]): void {
  for (const [index, page] of pages.entries()) {
    const bytes = page.reduce((sum, { text }) => sum + text.length, 0);
    expect(page.length).toBeLessThanOrEqual(500);
    expect(page.length === 1 || bytes <= mebibyte).toBe(true);
    const next = pages[index + 1]?.[0];
    if (next)
      expect(page.length === 500 || bytes + next.text.length > mebibyte || page[0]!.type !== next.type).toBe(true);
  }
}

test('an export ends its pages at 500 objects or 1 MiB', async () => {
  const pages: RegistryObject[][] = [];
  const request = { source: 'TEST', types: ['person'], view: View.VIEW_COMPLETE };
  for await (const { objects } of readerOf(setup.context).exportObjects(request)) pages.push(objects);
  expect(keysOf(pages.flat())).toEqual(persons);
  expectGoodPages(pages.slice(1));
});

test.each([true, false])('so does the feed (latest changes only: %s)', async (latestOnly) => {
  const before = await currentSerial(setup.context.readPool, setup.context.sources.main.id);
  // A superseded large state is not a current text.
  await put(setup.context, large[0]!.replace('xxx', 'yyy'));
  await put(setup.context, person('LA1-TEST'));
  const newest = await put(setup.context, large[0]!);
  const request = { source: 'TEST', afterSerial: 0n, keysOnly: false, fromNow: false, latestOnly };
  const pages: RegistryObject[][] = [];
  const serials: bigint[] = [];
  for await (const { changes, serial } of feedOf(setup.context).watch(request)) {
    pages.push(changes.map(({ object }) => object!));
    serials.push(...changes.map((change) => change.serial));
    if (serial >= newest) break;
  }
  const last = latestOnly ? [newest] : [newest - 2n, newest - 1n, newest];
  expect(serials.filter((serial) => serial > before)).toEqual(last);
  expect(serials).toEqual(serials.toSorted((a, b) => Number(a - b)));
  expect(new Set(keysOf(pages.flat().filter(({ type }) => type === 'person')))).toEqual(new Set(persons));
  expectGoodPages(pages.map((page) => page.map((object) => ({ ...object, type: '' }))));
});

test('networks inside a range come in such pages, however large the first ones are', async () => {
  const request = {
    source: 'TEST',
    type: 'inetnum',
    resource: '192.0.2.0/24',
    scope: ContainedScope.CONTAINED_SCOPE_ALL,
    limit: 0,
    view: View.VIEW_COMPLETE,
  };
  const pages: RegistryObject[][] = [];
  for await (const { objects } of hierarchyOf(setup.context).listContained(request)) pages.push(objects);
  expect(pages.flat().map(({ text }) => text)).toEqual(networks);
  for (const page of pages) {
    const bytes = page.reduce((sum, { text }) => sum + text.length, 0);
    expect(page.length === 1 || bytes <= mebibyte).toBe(true);
  }
});

interface RowParser {
  parseRow(values: (Buffer | null)[]): unknown;
}

/** Bytes of the largest answer of the database meanwhile. */
async function largestRead(ask: () => Promise<unknown>): Promise<number> {
  const parse = vi.spyOn(pg.Result.prototype as unknown as RowParser, 'parseRow');
  await ask();
  const sizes = new Map<unknown, number>();
  for (const [at, [values]] of parse.mock.calls.entries()) {
    const result = parse.mock.contexts[at];
    const size = values.reduce((sum, value) => sum + (value?.length ?? 0), 0);
    sizes.set(result, (sizes.get(result) ?? 0) + size);
  }
  parse.mockRestore();
  return Math.max(...sizes.values());
}

test('referrers and targets, however large, are read 1 MiB or one object at a time', async () => {
  const names = large.map((text) => /nic-hdl: +(\S+)/.exec(text)![1]!);
  const role = (key: string) => `role: Large\nnic-hdl: ${key}\n${contacts}e-mail: a@example.net\nsource: TEST\n`;
  const contacts = names.map((name) => `tech-c: ${name}\n`).join('');
  const referring = Array.from({ length: 5 }, (_, n) => role(`RO${n + 1}-TEST`) + remarks);
  for (const text of referring) await put(setup.context, text);
  const keyOf = (type: string, key: string) => ({ key: { source: 'TEST', type, key }, limit: 0 });
  const reader = readerOf(setup.context);
  const [outgoing, incoming] = [keyOf('role', 'RO1-TEST'), keyOf('person', names[0]!)];
  expect((await reader.listReferences(outgoing)).outgoing.map(({ key }) => key?.key)).toEqual(names);
  const found = await reader.listReferences(incoming);
  expect(keysOf(found.incoming.map(({ key }) => key as RegistryObject | undefined))).toHaveLength(5);
  expect(found.incomplete).toBe(false);
  expect(await reader.listReferences({ ...incoming, limit: 3 })).toMatchObject({ incomplete: true });
  for (const question of [outgoing, incoming]) {
    expect(await largestRead(() => reader.listReferences(question))).toBeLessThan(2 * mebibyte);
  }
});

test('resources inside large networks share the objects; those beyond 2 MiB come without text', async () => {
  const request = {
    source: 'TEST',
    resources: Array.from({ length: 1000 }, (_, n) => `198.51.100.${n % 250}`),
    types: ['inetnum'],
    scope: EnclosingScope.ENCLOSING_SCOPE_ALL,
    view: View.VIEW_COMPLETE,
  };
  const client = hierarchyOf(setup.context);
  const { answers, objects } = await client.batchFindEnclosing({ ...request, shareObjects: true });
  const expected = ['252', '253', '254', '255'].map((end) => `198.51.100.0 - 198.51.100.${end}`);
  for (const { positions } of answers) expect(positions.map((at) => objects[at]!.key)).toEqual(expected);
  expect(objects.map(({ text }) => text.length > 0)).toEqual([true, true, true, false]);
  const read = await largestRead(() => client.batchFindEnclosing({ ...request, shareObjects: true }));
  expect(read).toBeLessThan(2 * mebibyte);
  const refused = client.batchFindEnclosing({ ...request, shareObjects: false });
  await expect(refused).rejects.toMatchObject({ kind: 'exhausted' });
});

const lookupOf = (key: string) => {
  return { key: { source: 'TEST', type: 'person', key }, view: View.VIEW_COMPLETE, withContacts: false };
};
const found = LookupStatus.LOOKUP_STATUS_FOUND;
const again = LookupStatus.LOOKUP_STATUS_ASK_AGAIN;

test('a batch of lookups is answered in parts: small objects at once, large ones in turn', async () => {
  const keys = ['HU1-TEST', 'LA1-TEST', 'LA2-TEST', 'SM1-TEST', 'LA3-TEST', 'LA4-TEST', 'NO1-TEST', 'SM2-TEST'];
  const { answers } = await readerOf(setup.context).batchLookup({ lookups: keys.map(lookupOf) });
  const missing = LookupStatus.LOOKUP_STATUS_NOT_FOUND;
  expect(answers.map(({ status }) => status)).toEqual([found, found, found, found, again, again, missing, found]);
  expect(answers.map(({ object }) => object?.key)).toEqual([
    ...['HU1-TEST', 'LA1-TEST', 'LA2-TEST', 'SM1-TEST'],
    ...[undefined, undefined, undefined, 'SM2-TEST'],
  ]);
});

test('repeated requests return everything in the end', async () => {
  let left = [...persons.slice(0, 980)] as string[];
  const seen: string[] = [];
  for (let calls = 0; left.length > 0; calls++) {
    expect(calls).toBeLessThan(20);
    const { answers } = await readerOf(setup.context).batchLookup({ lookups: left.map(lookupOf) });
    seen.push(...answers.flatMap(({ object }) => object?.key ?? []));
    left = left.filter((_, index) => answers[index]!.status === again);
  }
  expect(seen.sort()).toEqual(persons);
});
