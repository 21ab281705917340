import { describe, expect, it } from 'vitest';
import { locate } from './locator.js';

const person = { kind: 'object', source: 'TEST', type: 'person', key: 'XX1-TEST' };
const route = { kind: 'object', source: 'TEST', type: 'route', key: '192.0.2.0/24AS64500' };

describe('the target of a path', () => {
  it.each([
    ['/TEST/person', { kind: 'collection', source: 'TEST', type: 'person' }],
    ['/TEST/person/', { kind: 'collection', source: 'TEST', type: 'person' }],
    ['/TEST/person/XX1-TEST', person],
    ['/TEST/person/XX1-TEST/', person],
    ['//TEST//person///XX1-TEST', person],
    ['/whois/TEST/person/XX1-TEST', person],
    ['//Whois//TEST/person/XX1-TEST', person],
    ['http://localhost:8080/TEST/person/XX1-TEST', person],
    ['/test/PERSON/xx1-test', { kind: 'object', source: 'test', type: 'PERSON', key: 'xx1-test' }],
    ['/TEST/route/192.0.2.0/24AS64500', route],
    ['/TEST/route/192.0.2.0%2F24AS64500', route],
    ['/TEST/route/192.0.2.0%2f24AS64500.json', route],
    ['/TEST%2Froute/192.0.2.0/24AS64500', route],
    ['/TEST/inetnum/192.0.2.0%20-%20192.0.2.255', { ...route, type: 'inetnum', key: '192.0.2.0 - 192.0.2.255' }],
    ['/TEST/inet6num/2001:db8::/32', { ...route, type: 'inet6num', key: '2001:db8::/32' }],
    ['/TEST/domain/2.0.192.in-addr.arpa', { ...route, type: 'domain', key: '2.0.192.in-addr.arpa' }],
    ['/TEST/person/A+B', { ...person, key: 'A+B' }],
    ['/TEST/person/versions', { ...person, key: 'versions' }],
    ['/TEST/person/XX1-TEST/versions', { ...person, kind: 'versions' }],
    ['/TEST/person/XX1-TEST/versions.json', { ...person, kind: 'versions' }],
    ['/TEST/route/192.0.2.0/24AS64500/versions/2.txt', { ...route, kind: 'version', revision: '2' }],
    ['/TEST/person/XX1-TEST/versions/x', { ...person, kind: 'version', revision: 'x' }],
    ['/metadata/sources', { kind: 'sources' }],
    ['/whois/metadata/sources.json', { kind: 'sources' }],
    ['/metadata/templates/person.xml', { kind: 'template', type: 'person' }],
    ['/metadata/limits.json', { kind: 'limits' }],
    ['/references/TEST', { kind: 'references', source: 'TEST' }],
    ['/search', { kind: 'search' }],
    ['/search/?query-string=x', { kind: 'search' }],
    ['/whois/search.json?query-string=x', { kind: 'search' }],
    ['/geolocation.txt?ipkey=192.0.2.1', { kind: 'geolocation' }],
    ['/abuse-contact/AS64500', { kind: 'abuse-contact', resource: 'AS64500' }],
    ['/abuse-contact/192.0.2.0/24.json', { kind: 'abuse-contact', resource: '192.0.2.0/24' }],
    ['/abuse-contact/2001:db8::%2F32', { kind: 'abuse-contact', resource: '2001:db8::/32' }],
    ['/abuse-contact/192.0.2.0%20-%20192.0.2.9', { kind: 'abuse-contact', resource: '192.0.2.0 - 192.0.2.9' }],
    ['/references/TEST/', { kind: 'references', source: 'TEST' }],
    ['/session/maintainers', { kind: 'own-maintainers' }],
    ['/', { kind: 'page', path: '/' }],
    ['/?x', { kind: 'page', path: '/' }],
    ['/-/query?q=AS64500', { kind: 'page', path: '/-/query' }],
    ['/-/object/TEST/person/XX1-TEST.json', { kind: 'page', path: '/-/object/TEST/person/XX1-TEST.json' }],
  ])('%s', (url, target) => {
    expect(locate(url).target).toEqual(target);
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
  ])('%s is unknown', (url) => {
    expect(locate(url).target).toEqual({ kind: 'unknown' });
  });
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
  ])('of %s is %s', (url, extension) => {
    expect(locate(url).extension).toBe(extension);
  });
});

it('keeps the path for links as sent, without prefix and extension', () => {
  expect(locate('/whois/TEST/inetnum/192.0.2.0%20-%20192.0.2.255.json?unformatted&x=%20')).toMatchObject({
    path: '/TEST/inetnum/192.0.2.0%20-%20192.0.2.255',
    query: 'unformatted&x=%20',
  });
});
