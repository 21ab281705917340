import type { ObjectKey } from '@cadastre/proto/registry';
import { describe, expect, test } from 'vitest';
import { objectsOf } from './objects.fixture.js';
import { clients, clientsOver, registry } from './resources.fixture.js';

const key = (type: string, text: string, source = 'TEST'): ObjectKey => ({ source, type, key: text });
const everything = { abuseContacts: true, resourceHolders: true };

/** Role and holder of each object. */
async function described(keys: ObjectKey[], wanted = everything) {
  const { descriptions } = await clients().contacts.describeHolders({ keys, ...wanted });
  return descriptions.map(({ abuseContact, holderKey }) => [abuseContact?.role, holderKey]);
}

describe('DescribeHolders', () => {
  test('answers in the order of the questions', async () => {
    const keys = [
      key('organisation', 'ORG-EX1-TEST'),
      key('inet6num', '2001:db8::/32'),
      key('aut-num', 'AS64500'),
      key('inetnum', '192.0.2.0 - 192.0.2.99'),
      key('aut-num', 'AS64501'),
    ];
    expect(await described(keys)).toEqual([
      ['AR1-TEST', ''],
      ['AR2-TEST', 'ORG-EX2-TEST'],
      ['AR1-TEST', 'ORG-EX1-TEST'],
      ['AR1-TEST', 'ORG-EX1-TEST'],
      [undefined, ''],
    ]);
  });

  test.each<[string, ObjectKey]>([
    ['an object that does not exist', key('inetnum', '192.0.2.0 - 192.0.2.10')],
    ['an organisation that does not exist', key('organisation', 'ORG-ZZ9-TEST')],
    ['a type without resources', key('person', 'AR1-TEST')],
    ['a key of another type', key('inetnum', 'AS64500')],
    ['an impossible key', key('inet6num', 'foo')],
  ])('answers %s empty', async (_, requested) => {
    expect(await described([requested, key('aut-num', 'AS64500')])).toEqual([
      [undefined, ''],
      ['AR1-TEST', 'ORG-EX1-TEST'],
    ]);
  });

  test('takes keys in any spelling and letter case', async () => {
    const keys = [key('INETNUM', '192.0.2.0/24', 'test'), key('Organisation', 'org-ex1-test', 'test')];
    expect(await described(keys)).toEqual([
      ['AR1-TEST', 'ORG-EX1-TEST'],
      ['AR1-TEST', ''],
    ]);
  });

  test('returns only what was requested', async () => {
    const requested = [key('aut-num', 'AS64500')];
    expect(await described(requested, { abuseContacts: true, resourceHolders: false })).toEqual([['AR1-TEST', '']]);
    expect(await described(requested, { abuseContacts: false, resourceHolders: true })).toEqual([
      [undefined, 'ORG-EX1-TEST'],
    ]);
  });

  test('finds holders in mirrors of other registries, but no abuse contacts', async () => {
    const { descriptions } = await clients().contacts.describeHolders({
      keys: [key('inetnum', '192.0.2.0 - 192.0.2.255', 'OTHER-GRS')],
      ...everything,
    });
    expect(descriptions).toEqual([
      { abuseContact: undefined, holderKey: 'ORG-EX1-TEST', holderName: 'Example elsewhere' },
    ]);
  });

  test('returns the object itself as the one found', async () => {
    const { descriptions } = await clients().contacts.describeHolders({
      keys: [key('inetnum', '192.0.2.0/24')],
      ...everything,
    });
    expect(descriptions[0]?.abuseContact?.found).toEqual(key('inetnum', '192.0.2.0 - 192.0.2.255'));
  });

  test('refuses more than 1,000 objects', async () => {
    const keys = Array.from({ length: 1001 }, () => key('aut-num', 'AS64500'));
    await expect(clients().contacts.describeHolders({ keys, ...everything })).rejects.toMatchObject({
      kind: 'invalid',
    });
  });

  test('makes as many calls for a hundred nested objects as for one', async () => {
    const around = Array.from({ length: 12 }, (_, bits) => [
      `inet6num: 2001:db8::/${33 + bits}`,
      'mnt-by: EX-MNT',
      `org: ORG-LEVEL${bits}-TEST`,
    ]);
    const inside = Array.from({ length: 100 }, (_, n) => `2001:db8::${n.toString(16)}:0:0/96`);
    const registry = clients([...around, ...inside.map((prefix) => [`inet6num: ${prefix}`, 'mnt-by: EX-MNT'])]);
    const { descriptions } = await registry.contacts.describeHolders({
      keys: inside.map((prefix) => key('inet6num', prefix)),
      ...everything,
    });
    expect(new Set(descriptions.map(({ abuseContact }) => abuseContact?.role))).toEqual(new Set(['AR2-TEST']));
    expect(registry.requested.batchFindEnclosing).toEqual([100]);
    expect(registry.requested.batchLookup.length).toBeLessThanOrEqual(2);
  });

  test('omits an unreadable object, and describes the others', async () => {
    const { contacts } = clientsOver(objectsOf(registry, { unreadable: ['ORG-EX1-TEST', 'AS64501'] }));
    const keys = [key('aut-num', 'AS64501'), key('aut-num', 'AS64500'), key('inet6num', '2001:db8::/32')];
    const { descriptions } = await contacts.describeHolders({ keys, ...everything });
    expect(descriptions.map(({ abuseContact, holderKey }) => [abuseContact?.role, holderKey])).toEqual([
      [undefined, ''],
      [undefined, ''],
      ['AR2-TEST', 'ORG-EX2-TEST'],
    ]);
  });
});
