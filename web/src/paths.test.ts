import { expect, test } from 'vitest';
import { nameOfLocator, nameOfPath, nameOfText, namePath, paths, rdapPath } from './paths.js';

test.each([
  ['person', 'XX1-TEST', 'TEST/person/XX1-TEST'],
  ['inetnum', '192.0.2.0 - 192.0.2.255', 'TEST/inetnum/192.0.2.0%20-%20192.0.2.255'],
  ['route6', '2001:db8::/32AS64500', 'TEST/route6/2001:db8::/32AS64500'],
  ['as-set', 'AS64500:AS-A?B#C%41', 'TEST/as-set/AS64500:AS-A%3FB%23C%2541'],
])('the path of a %s names it', (type, key, path) => {
  const name = { source: 'TEST', type, key };
  expect(namePath(name)).toBe(path);
  expect(nameOfPath(path)).toEqual(name);
  const { searchParams } = new URL(paths.create(type, { like: name }), 'https://rest.example.net');
  expect(nameOfText(searchParams.get('like')!)).toEqual(name);
});

test.each([
  [
    'https://localhost:8443/test/route/192.0.2.0/24AS64500',
    { source: 'TEST', type: 'route', key: '192.0.2.0/24AS64500' },
  ],
  ['https://rest.example.net/whois/test/mntner/A-MNT', { source: 'TEST', type: 'mntner', key: 'A-MNT' }],
])('the locator %s names an object', (href, name) => {
  expect(nameOfLocator(href)).toEqual(name);
});

test.each(['', 'TEST', 'TEST/person', 'TEST/person/'])('%j is not the name of an object', (path) => {
  expect(nameOfPath(path)).toBeUndefined();
});

test.each([
  ['inetnum', '192.0.2.0 - 192.0.2.255', '/rdap/ip/192.0.2.0%20-%20192.0.2.255'],
  ['inet6num', '2001:db8::/32', '/rdap/ip/2001:db8::/32'],
  ['aut-num', 'AS64500', '/rdap/autnum/AS64500'],
  ['domain', '2.0.192.in-addr.arpa', '/rdap/domain/2.0.192.in-addr.arpa'],
  ['mntner', 'EXAMPLE-MNT', '/rdap/entity/EXAMPLE-MNT'],
  ['route', '192.0.2.0/24AS64500', undefined],
])('RDAP has a %s at its own path', (type, key, path) => {
  expect(rdapPath({ type, key })).toBe(path);
});
