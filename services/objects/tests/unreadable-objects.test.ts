import { ContainedScope, LookupStatus } from '@cadastre/proto/objects';
import { type RegistryObject, View } from '@cadastre/proto/registry';
import { createMetrics } from '@cadastre/service';
import { testLogger } from '@cadastre/service/testing';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createContext } from '../src/context.js';
import { defaultPolicy } from '../src/domain/policy.js';
import { trimmedSerial } from '../src/store/trimmed-changes.js';
import { feedOf, hierarchyOf, inetnum, mntner, person, put, readerOf, useContext } from './test-context.js';

const setup = useContext();
const network = '192.0.2.0 - 192.0.2.255';
const names = [
  ['person', 'BR1-TEST'],
  ['person', 'OK1-TEST'],
  ['mntner', 'BR-MNT'],
  ['mntner', 'OK-MNT'],
  ['inetnum', network],
] as const;

beforeEach(async () => {
  for (const handle of ['BR1-TEST', 'OK1-TEST']) await put(setup.context, person(handle));
  await put(setup.context, mntner('BR-MNT', 'BR1-TEST'));
  await put(setup.context, mntner('OK-MNT', 'BR1-TEST'));
  await put(setup.context, inetnum(network));
});
afterEach(() =>
  setup.context.writePool
    .query('delete from object; delete from version; delete from change; delete from handle')
    .then(() => {}),
);

/** Damages to the rows of the objects whose names begin with BR. */
const damages: [string, string][] = [
  ['text that is not an object', "text = 'nothing of the kind'"],
  ['no text', "text = ''"],
  ['the text of another type', "text = 'as-set: AS-X\nsource: TEST\n'"],
  ['an infinite time', "modified = 'infinity'"],
  ['an infinite creation time', "created = '-infinity'"],
  ['an impossible revision', 'revision = -5'],
  ['an impossible serial', 'serial = -5'],
];
const damage = (how: string) => setup.context.writePool.query(`update object set ${how} where key like 'br%'`);

const status = {
  found: LookupStatus.LOOKUP_STATUS_FOUND,
  unreadable: LookupStatus.LOOKUP_STATUS_UNREADABLE,
};

test.each(damages)('%s: lookups of other objects in the batch are answered', async (_, how) => {
  await damage(how);
  const lookups = names.map(([type, key]) => {
    return { key: { source: 'TEST', type, key }, view: View.VIEW_FILTERED, withContacts: true };
  });
  const { answers } = await readerOf(setup.context).batchLookup({ lookups });
  const { found, unreadable } = status;
  expect(answers.map((answer) => answer.status)).toEqual([unreadable, found, unreadable, found, found]);
  expect(answers.map(({ object }) => object?.key)).toEqual([undefined, 'OK1-TEST', undefined, 'OK-MNT', network]);
});

test.each(damages)('%s: an export leaves the object out', async (_, how) => {
  await damage(how);
  const objects: RegistryObject[] = [];
  const request = { source: 'TEST', types: [], view: View.VIEW_COMPLETE };
  for await (const page of readerOf(setup.context).exportObjects(request)) objects.push(...page.objects);
  expect(objects.map(({ key }) => key).sort()).toEqual([network, 'OK-MNT', 'OK1-TEST']);
});

test.each(damages)('%s: the feed sends the key and continues', async (_, how) => {
  const { readPool, sources } = setup.context;
  // Each test begins with tables that it empties, but with the serials of the earlier ones.
  const afterSerial = await trimmedSerial(readPool, sources.main.id);
  await damage(how);
  const newest = await put(setup.context, person('OK2-TEST'));
  for (const keysOnly of [true, false]) {
    const seen: [string, boolean][] = [];
    const request = { source: 'TEST', afterSerial, keysOnly, fromNow: false, latestOnly: false };
    for await (const { changes, serial } of feedOf(setup.context).watch(request)) {
      for (const { object } of changes) seen.push([object!.key, object!.text !== '']);
      if (serial >= newest) break;
    }
    expect(seen.slice(-6)).toEqual([
      ['br1-test', false],
      ['OK1-TEST', !keysOnly],
      ['br-mnt', false],
      ['OK-MNT', !keysOnly],
      [network, !keysOnly],
      ['OK2-TEST', !keysOnly],
    ]);
  }
});

test.each(damages)('%s: other objects inside a range are listed, and so are references', async (_, how) => {
  await put(setup.context, inetnum('192.0.2.0 - 192.0.2.127'));
  await put(setup.context, inetnum('192.0.2.128 - 192.0.2.255'));
  await setup.context.writePool.query(`update object set ${how} where key like '192.0.2.128%'`);
  const request = {
    ...{ source: 'TEST', type: 'inetnum', resource: '192.0.2.0/24', limit: 0, view: View.VIEW_COMPLETE },
    scope: ContainedScope.CONTAINED_SCOPE_ALL,
  };
  const keys: string[] = [];
  for await (const { objects } of hierarchyOf(setup.context).listContained(request))
    keys.push(...objects.map((o) => o.key));
  expect(keys).toEqual(['192.0.2.0 - 192.0.2.127']);
  await damage(how);
  const key = { source: 'TEST', type: 'mntner', key: 'OK-MNT' };
  const { outgoing } = await readerOf(setup.context).listReferences({ key, limit: 0 });
  expect(outgoing.map((one) => one.key!.key)).toContain('OK-MNT');
});

test('a metric counts each read', async () => {
  const metrics = createMetrics('objects');
  const counted = await createContext({
    ...{ databaseUrl: setup.url, source: 'test', grsSources: [], readConnections: 1, writeConnections: 1 },
    ...{ publicCallers: [], policy: defaultPolicy, clock: setup.clock.now, logger: testLogger(), metrics },
    accounts: { resolve: async () => new Map(), resolveSubjects: async () => new Map() },
  });
  await damage("text = ''");
  const lookups = names.map(([type, key]) => {
    return { key: { source: 'TEST', type, key }, view: View.VIEW_FILTERED, withContacts: false };
  });
  await readerOf(counted.context).batchLookup({ lookups });
  const text = await metrics.metrics();
  expect(text).toMatch(/^cadastre_unreadable_objects_total\{source="TEST",type="person",.*\} 1$/m);
  expect(text).toMatch(/^cadastre_unreadable_objects_total\{source="TEST",type="mntner",.*\} 1$/m);
  await counted.close();
});
