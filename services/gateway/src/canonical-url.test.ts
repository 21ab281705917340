import { describe, expect, it } from 'vitest';
import { routeAt } from '../tests/testing.js';
import { canonicalUrl } from './canonical-url.js';

/** The name and the path parameters of the resource that Fastify's router finds. */
function find(url: string) {
  const { resource, params } = routeAt(url);
  return resource && { name: resource.name, ...params };
}

const person = { name: 'object', source: 'TEST', objectType: 'person', key: 'XX1-TEST' };
const expanded = { name: 'set-prefixes', source: 'TEST', setType: 'as-set' };
const route = { name: 'object', source: 'TEST', objectType: 'route', key: '192.0.2.0/24AS64500' };

describe('the resource that a URL leads to', () => {
  it.each([
    ['/TEST/person', { name: 'collection', source: 'TEST', objectType: 'person' }],
    ['/TEST/person/', { name: 'collection', source: 'TEST', objectType: 'person' }],
    ['/TEST/person/XX1-TEST', person],
    ['/TEST/person/XX1-TEST/', person],
    ['//TEST//person///XX1-TEST', person],
    ['/whois/TEST/person/XX1-TEST', person],
    ['//Whois//TEST/person/XX1-TEST', person],
    ['http://localhost:8080/TEST/person/XX1-TEST', person],
    ['/test/PERSON/xx1-test', { name: 'object', source: 'test', objectType: 'PERSON', key: 'xx1-test' }],
    ['/TEST/route/192.0.2.0/24AS64500', route],
    ['/TEST/route/192.0.2.0%2F24AS64500', route],
    ['/TEST/route/192.0.2.0%2f24AS64500.json', route],
    ['/TEST%2Froute/192.0.2.0/24AS64500', route],
    ['/TEST/inetnum/192.0.2.0%20-%20192.0.2.255', { ...route, objectType: 'inetnum', key: '192.0.2.0 - 192.0.2.255' }],
    ['/TEST/inet6num/2001:db8::/32', { ...route, objectType: 'inet6num', key: '2001:db8::/32' }],
    ['/TEST/domain/2.0.192.in-addr.arpa', { ...route, objectType: 'domain', key: '2.0.192.in-addr.arpa' }],
    ['/TEST/person/A+B', { ...person, key: 'A+B' }],
    ['/TEST/person/versions', { ...person, key: 'versions' }],
    ['/TEST/person/XX1-TEST/versions', { ...person, name: 'versions' }],
    ['/TEST/person/XX1-TEST/versions.json', { ...person, name: 'versions' }],
    ['/TEST/route/192.0.2.0/24AS64500/versions/2.txt', { ...route, name: 'version', version: '2' }],
    ['/TEST/person/XX1-TEST/versions/x', { ...person, name: 'version', version: 'x' }],
    ['/TEST/as-set/AS1:AS-X/expanded', { ...expanded, set: 'AS1:AS-X' }],
    ['/TEST/as-set/AS1%3AAS-X%2Fexpanded', { ...expanded, set: 'AS1:AS-X' }],
    ['/TEST/as-set/AS-X/expanded.txt', { ...expanded, set: 'AS-X' }],
    ['/TEST/person/expanded', { ...person, key: 'expanded' }],
    ['/metadata/sources', { name: 'sources' }],
    ['/whois/metadata/sources.json', { name: 'sources' }],
    ['/metadata/templates/person.xml', { name: 'template', objectType: 'person' }],
    ['/metadata/limits.json', { name: 'limits' }],
    ['/references/TEST', { name: 'references', source: 'TEST' }],
    ['/search', { name: 'search' }],
    ['/search/?query-string=x', { name: 'search' }],
    ['/whois/search.json?query-string=x', { name: 'search' }],
    ['/geolocation.txt?ipkey=192.0.2.1', { name: 'geolocation' }],
    ['/abuse-contact/AS64500', { name: 'abuse-contact', resource: 'AS64500' }],
    ['/abuse-contact/192.0.2.0/24.json', { name: 'abuse-contact', resource: '192.0.2.0/24' }],
    ['/abuse-contact/2001:db8::%2F32', { name: 'abuse-contact', resource: '2001:db8::/32' }],
    ['/abuse-contact/192.0.2.0%20-%20192.0.2.9', { name: 'abuse-contact', resource: '192.0.2.0 - 192.0.2.9' }],
    ['/references/TEST/', { name: 'references', source: 'TEST' }],
    ['/session/maintainers', { name: 'own-maintainers' }],
    ['/', { name: 'page' }],
    ['/?x', { name: 'page' }],
    ['/-/query?q=AS64500', { name: 'page', '*': 'query' }],
    ['/-/object/TEST/person/XX1-TEST.json', { name: 'page', '*': 'object/TEST/person/XX1-TEST.json' }],
  ])('%s', (url, target) => {
    expect(find(url)).toEqual(target);
  });

  it.each([
    '',
    '*',
    '/TEST',
    '/search/x',
    '/geolocation/192.0.2.1',
    '/abuse-contact',
    '/abuse-contact/',
    '/references',
    '/metadata/sources/x',
    '/metadata/templates/person/x',
    '/metadata',
    '/metadata/templates',
    '/metadata/limits/person',
    '/metadata/nothing',
    '/references/TEST/person/XX1-TEST',
    '/TEST/person/%E9',
    '/TEST/person/%',
    '/whois',
  ])('%s leads nowhere', (url) => {
    expect(find(url)).toBeUndefined();
  });
});

it.each([
  ['/rdap/IP/192.0.2.7', '/rdap/ip/192.0.2.7'],
  ['/RDAP/Ip/192.0.2.0/24', '/rdap/ip/192.0.2.0/24'],
  ['/rdap/AutNum/64500', '/rdap/autnum/64500'],
  ['/rdap/ENTITIES?fn=A*', '/rdap/entities?fn=A*'],
  ['/rdap/HELP', '/rdap/help'],
])('%s leads to the same as %s, and preserves the case of the rest', (url, same) => {
  expect(find(url)).toEqual(find(same));
  expect(find(url)).toBeDefined();
});

describe('the extension', () => {
  it.each([
    ['/TEST/person/XX1-TEST.xml', 'xml'],
    ['/TEST/person/XX1-TEST.json', 'json'],
    ['/TEST/person/XX1-TEST.txt', 'txt'],
    ['/TEST/person/XX1-TEST.json?unfiltered', 'json'],
    ['/TEST/person/XX1-TEST.html', undefined],
    ['/TEST/person/XX1-TEST.JSON', undefined],
    ['/TEST/domain/2.0.192.in-addr.arpa', undefined],
    ['/TEST/person/XX1-TEST?x=.json', undefined],
    ['/WHOIS/rdap/domain/example.json', undefined],
    ['/Whois/nrtmv4/TEST/delta.json', undefined],
  ])('of %s is %s', (url, extension) => {
    expect(canonicalUrl(url).extension).toBe(extension);
  });
});

it('returns the unchanged path for links, without prefix and extension', () => {
  expect(canonicalUrl('/whois/TEST/inetnum/192.0.2.0%20-%20192.0.2.255.json?unformatted&x=%20')).toMatchObject({
    path: '/TEST/inetnum/192.0.2.0%20-%20192.0.2.255',
    query: 'unformatted&x=%20',
  });
});
