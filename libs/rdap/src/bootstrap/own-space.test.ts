import { parseObject, type RpslObject } from '@cadastre/rpsl';
import { expect, it } from 'vitest';
import { defaultPolicy } from '../policy.js';
import { bootstrapNames, readBootstrapFile } from './files.js';
import { bootstrapFiles } from './own-space.js';
import { createServiceTable } from './service-table.js';

function object(text: string): RpslObject {
  const parsed = parseObject(text);
  if (!('object' in parsed)) throw new Error(text);
  return parsed.object;
}

const objects = [
  'inetnum: 0.0.0.0 - 255.255.255.255\nstatus: ALLOCATED UNSPECIFIED',
  'inetnum: 192.0.2.0 - 192.0.2.127\nstatus: ALLOCATED PA',
  'inetnum: 192.0.2.128 - 192.0.2.255\nstatus: ALLOCATED PA',
  'inetnum: 198.51.100.0 - 198.51.100.2\nstatus: ASSIGNED PI',
  // Divided among registries.
  'inetnum: 203.0.0.0 - 203.0.255.255\nstatus: ALLOCATED UNSPECIFIED',
  'inet6num: ::/0\nstatus: ALLOCATED-BY-RIR',
  'inet6num: 2001:db8::/31\nstatus: ALLOCATED-BY-RIR',
  'as-block: AS0 - AS4294967295',
  'as-block: AS64496 - AS64511',
  'as-block: AS65536 - AS65540',
].map(object);

const others = createServiceTable(
  {
    ipv4: JSON.stringify({
      version: '1.0',
      services: [[['192.0.0.0/8', '203.0.112.0/20'], ['https://rdap.east.example/']]],
    }),
    asn: JSON.stringify({ version: '1.0', services: [[['64500', '65536-65540'], ['https://rdap.east.example/']]] }),
  },
  () => false,
);

const texts = bootstrapFiles(objects, {
  base: 'https://rdap.ours.example',
  publication: new Date('2030-01-31T12:00:00.123Z'),
  tag: 'test',
  policy: defaultPolicy,
  others,
});

it('lists the space of a registry, without what the table gives to others and root objects', () => {
  const entries = bootstrapNames.map((name) => readBootstrapFile(name, texts[name]).flatMap((one) => one.entries));
  expect(entries).toEqual([
    // The network of ours inside a prefix of another registry is more specific.
    [
      '192.0.2.0/24',
      '198.51.100.0/31',
      '198.51.100.2/32',
      '203.0.0.0/18',
      '203.0.64.0/19',
      '203.0.96.0/20',
      '203.0.128.0/17',
    ],
    ['2001:db8::/31'],
    ['64496-64499', '64501-64511'],
    expect.arrayContaining([
      '2.0.192.in-addr.arpa',
      '100.51.198.in-addr.arpa',
      '8.b.d.0.1.0.0.2.ip6.arpa',
      '255.0.203.in-addr.arpa',
    ]),
    ['TEST'],
  ]);
  const zones = entries[3]!;
  expect(zones).toHaveLength(2 + 240 + 2);
  expect(zones).not.toContain('113.0.203.in-addr.arpa');
});

it('has the form of RFC 9224 and RFC 8521', () => {
  expect(JSON.parse(texts.ipv6)).toEqual({
    version: '1.0',
    publication: '2030-01-31T12:00:00Z',
    description: 'RDAP bootstrap file (ipv6)',
    services: [[['2001:db8::/31'], ['https://rdap.ours.example/']]],
  });
  expect(JSON.parse(texts['object-tags']).services).toEqual([[[], ['TEST'], ['https://rdap.ours.example/']]]);
});

it('finds in its own files what it lists', () => {
  const table = createServiceTable(texts, () => false);
  expect(table.serviceFor({ domain: '1.2.0.192.in-addr.arpa' })).toBe('https://rdap.ours.example');
  expect(table.serviceFor({ as: { first: 64500, last: 64500 } })).toBeUndefined();
});
