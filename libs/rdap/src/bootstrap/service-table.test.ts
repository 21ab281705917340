import { parseResource, type Resource } from '@cadastre/rpsl';
import { describe, expect, it } from 'vitest';
import { createServiceTable, type Sought } from './service-table.js';

const isOurs = ({ host }: URL) => host === 'rdap.ours.example';
const file = (...services: unknown[]) =>
  JSON.stringify({ version: '1.0', publication: '2030-01-31T12:00:00Z', services });

const files = {
  ipv4: file(
    [
      ['203.0.0.0/8', '198.51.100.0/24'],
      ['http://plain.example/rdap/', 'https://rdap.east.example/registry/'],
    ],
    [['203.0.113.0/24'], ['https://rdap.west.example/']],
    [['203.0.113.128/25'], ['https://rdap.ours.example/rdap/']],
  ),
  ipv6: file([['2001:db8::/32'], ['https://rdap.east.example/registry/']]),
  asn: file([['64496-64511', '65551'], ['https://rdap.east.example/registry/']]),
  dns: file([['example', 'Sub.Example.net'], ['http://names.example/rdap']]),
  'object-tags': file([['ops@west.example'], ['WEST'], ['https://rdap.west.example/']]),
};

const east = 'https://rdap.east.example/registry';
const west = 'https://rdap.west.example';
const names = 'http://names.example/rdap';

describe('createServiceTable', () => {
  const table = createServiceTable(files, isOurs);

  it.each<[string, string | undefined]>([
    ['203.0.112.1', east],
    ['203.0.113.1', west],
    ['203.0.113.0/24', west],
    ['203.0.113.0 - 203.0.113.130', west],
    // Two entries each contain a part of it; only the one around them contains all of it.
    ['203.0.112.0/23', east],
    ['203.0.0.0/8', east],
    ['202.0.0.0/7', undefined],
    ['203.0.113.200', undefined],
    ['198.51.100.255', east],
    ['198.51.101.0', undefined],
    ['0.0.0.0', undefined],
    ['255.255.255.255', undefined],
    ['2001:db8:ffff::/48', east],
    ['2001:db9::', undefined],
    ['AS64496', east],
    ['AS64511', east],
    ['AS64512', undefined],
    ['AS65551', east],
    ['AS0', undefined],
  ])('finds the service of the most specific entry with all of %s', (text, service) => {
    expect(table.serviceFor(parseResource(text) as Resource)).toBe(service);
  });

  it.each<[Sought, string | undefined]>([
    [{ domain: 'www.EXAMPLE.' }, names],
    [{ domain: 'sub.example.net' }, names],
    [{ domain: 'example.net' }, undefined],
    [{ domain: '113.0.203.in-addr.arpa' }, west],
    [{ domain: '8.b.d.0.1.0.0.2.ip6.arpa.' }, east],
    [{ domain: '2.0.192.in-addr.arpa' }, undefined],
    [{ handle: 'AE1-west' }, west],
    [{ handle: 'WEST' }, west],
    [{ handle: 'AE1-EAST' }, undefined],
  ])('finds the service of %o', (sought, service) => {
    expect(table.serviceFor(sought)).toBe(service);
  });

  it('lists the addresses of others without ours', () => {
    expect(table.ofOthers('ipv4')).toEqual([
      { first: 0xc6336400n, last: 0xc63364ffn },
      { first: 0xcb000000n, last: 0xcb00717fn },
      { first: 0xcb007200n, last: 0xcbffffffn },
    ]);
  });

  it('knows nothing without files', () => {
    expect(createServiceTable({}, isOurs).serviceFor(parseResource('192.0.2.1') as Resource)).toBeUndefined();
  });

  it.each<[string, string, string]>([
    ['asn', '{', 'asn.json: '],
    ['asn', 'null', 'asn.json: "version" is not "1.0"'],
    ['asn', '{"version":"1.0"}', 'asn.json: "services" is not a list'],
    ['asn', file([['1']]), 'asn.json: element 0 of "services" is not 2 lists of texts'],
    ['asn', file([[1], ['https://a.example/']]), 'asn.json: element 0 of "services" is not 2 lists of texts'],
    ['object-tags', file([['A'], ['https://a.example/']]), 'element 0 of "services" is not 3 lists of texts'],
    ['asn', file([['AS1'], ['https://a.example/']]), 'asn.json: "AS1" is not an entry'],
    ['asn', file([['2-1'], ['https://a.example/']]), 'asn.json: "2-1" is not an entry'],
    ['asn', file([['4294967296'], ['https://a.example/']]), 'asn.json: "4294967296" is not an entry'],
    ['asn', file([['1-10', '5-20'], ['https://a.example/']]), 'asn.json: "5-20" overlaps with another'],
    ['ipv4', file([['192.0.2.1/24'], ['https://a.example/']]), 'ipv4.json: "192.0.2.1/24" is not an entry'],
    ['ipv4', file([['192.0.2.1'], ['https://a.example/']]), 'ipv4.json: "192.0.2.1" is not an entry'],
    ['ipv4', file([['192.0.2.0/24'], ['ftp://a.example/']]), 'ipv4.json: "ftp://a.example/" is not a base URL'],
    ['ipv4', file([['192.0.2.0/24'], ['https://a.example/?x']]), '"https://a.example/?x" is not a base URL'],
    ['ipv4', file([['192.0.2.0/24'], []]), 'ipv4.json: "" is not a base URL'],
  ])('refuses %s.json with %s', (name, text, problem) => {
    expect(() => createServiceTable({ [name]: text }, isOurs)).toThrow(problem);
  });
});
