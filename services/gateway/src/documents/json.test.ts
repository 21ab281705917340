import { expect, it } from 'vitest';
import * as given from './entries.fixture.js';
import { createWriter, render } from './render.js';
import type { Resource } from './whois-resources.js';

const link = (path: string) => ({ type: 'locator', href: `https://rest.example.net${path}` });
const organisation = link('/test/organisation/ORG-EX1-TEST');
const inetnum = link('/test/inetnum/192.0.2.0 - 192.0.2.255');
const terms = { type: 'locator', href: 'https://example.net/terms' };
const autNum = {
  type: 'aut-num',
  link: link('/test/aut-num/AS64500'),
  source: { id: 'test' },
  'primary-key': { attribute: [{ name: 'aut-num', value: 'AS64500' }] },
  attributes: {
    attribute: [
      { name: 'aut-num', value: 'AS64500' },
      { name: 'as-name', value: 'EXAMPLE-AS', comment: 'our "network"' },
      { link: organisation, name: 'org', value: 'ORG-EX1-TEST', 'referenced-type': 'organisation' },
      { name: 'remarks', value: '' },
      { name: 'source', value: 'TEST', comment: 'Filtered' },
    ],
  },
};
const route = {
  type: 'route',
  link: link('/test/route/192.0.2.0/24AS64500'),
  source: { id: 'test' },
  'primary-key': {
    attribute: [
      { name: 'route', value: '192.0.2.0/24' },
      { name: 'origin', value: 'AS64500' },
    ],
  },
  attributes: { attribute: [{ name: 'route', value: '192.0.2.0/24' }] },
  tags: { tag: [{ id: 'unref', data: '14 <days>' }] },
  version: 2,
};

it.each<[string, Resource, object]>([
  [
    'a search and everything that is said about an object',
    given.searched,
    {
      service: { name: 'search' },
      parameters: {
        'inverse-lookup': { 'inverse-attribute': [{ value: 'mnt-by' }] },
        client: 'example,192.0.2.7',
        'type-filters': { 'type-filter': [{ id: 'route' }, { id: 'route6' }] },
        flags: { flag: [{ value: 'no-filtering' }] },
        'query-strings': { 'query-string': [{ value: '"TEST"-MNT' }] },
        sources: { source: [{ id: 'TEST' }] },
      },
      objects: {
        object: [
          {
            type: 'route',
            link: link('/test/route/192.0.2.0/24AS64500'),
            source: { id: 'test' },
            'primary-key': { attribute: [] },
            attributes: {
              attribute: [
                {
                  link: organisation,
                  name: 'org',
                  value: 'ORG-EX1-TEST',
                  'referenced-type': 'organisation',
                  managed: true,
                  comment: 'ours',
                },
              ],
            },
            tags: { tag: [{ id: 'legacy' }] },
            'resource-holder': { key: 'ORG-EX1-TEST', name: 'Example & Co' },
            'abuse-contact': { key: 'AR1-TEST', email: 'abuse@example.net', suspect: false, 'org-id': 'ORG-EX1-TEST' },
            managed: true,
            objectmessages: {
              objectmessage: [
                { severity: 'Warning', text: 'conflict with %s', args: [{ value: 'ROUTE' }, { value: '24' }] },
              ],
            },
          },
        ],
      },
      'terms-and-conditions': terms,
    },
  ],
  [
    'a search without parameters and objects',
    given.searchedPlainly,
    {
      service: { name: 'search' },
      parameters: {
        'inverse-lookup': {},
        'type-filters': {},
        flags: {},
        'query-strings': { 'query-string': [{ value: 'x' }] },
        sources: {},
      },
      objects: { object: [] },
    },
  ],
  [
    'a location',
    given.located,
    {
      link: link('/geolocation?ipkey=192.0.2.1'),
      service: { name: 'geolocation-finder' },
      'geolocation-attributes': {
        location: [{ value: '52.37 4.89', link: inetnum }],
        language: [
          { value: 'en', link: organisation },
          { value: 'nl', link: organisation },
        ],
        geofeed: [{ value: 'https://example.net/geofeed.csv', link: inetnum }],
      },
      'terms-and-conditions': terms,
    },
  ],
  [
    'one object',
    given.lookup,
    {
      objects: { object: [autNum] },
      'terms-and-conditions': terms,
      version: { version: '1.2.3', timestamp: '2025-01-03T00:00:00Z', 'commit-id': '0a1b2c3' },
    },
  ],
  ['two objects, tags and version', given.two, { objects: { object: [autNum, route] } }],
  ['an empty list of objects', given.emptyList, { objects: { object: [] }, 'terms-and-conditions': terms }],
  ['nothing', given.nothing, {}],
  [
    'messages',
    given.refused,
    {
      link: link('/NOWHERE/person/EX1-TEST?a=1&b=2'),
      errormessages: {
        errormessage: [
          {
            severity: 'Error',
            attribute: { name: 'admin-c', value: '        EX1-TEST' },
            text: '"%s" is not valid for this object type',
            args: [{ value: 'admin-c' }],
          },
          { severity: 'Warning', text: 'A 100%% warning' },
          { severity: 'Info', text: 'Dry-run performed' },
        ],
      },
      'terms-and-conditions': terms,
    },
  ],
  [
    'sources',
    given.sources,
    {
      link: link('/metadata/sources'),
      service: { name: 'getSupportedDataSources' },
      sources: { source: [{ name: 'TEST', id: 'test' }] },
      'grs-sources': { source: [{ name: 'EXAMPLE-GRS', id: 'example-grs', 'grs-id': 'example-grs' }] },
    },
  ],
  [
    'a template',
    given.template,
    {
      service: { name: 'getObjectTemplate' },
      templates: {
        template: [
          {
            type: 'route',
            source: { id: 'test' },
            attributes: {
              attribute: [
                { name: 'route', requirement: 'MANDATORY', cardinality: 'SINGLE', keys: ['PRIMARY_KEY', 'LOOKUP_KEY'] },
                { name: 'descr', requirement: 'OPTIONAL', cardinality: 'MULTIPLE' },
              ],
            },
          },
        ],
      },
    },
  ],
  [
    'versions',
    given.versions,
    {
      versions: {
        type: 'aut-num',
        key: 'AS64500',
        version: [
          { revision: 1, date: '2025-01-01T00:00:00Z', operation: 'ADD/UPD' },
          { revision: 12, date: '2025-02-01T10:20:30Z', operation: 'DEL', reason: 'no longer used' },
        ],
      },
      version: { version: '1.2.3' },
    },
  ],
])('JSON shows %s', (_what, resource, expected) => {
  expect(inOrder(JSON.parse(render('json', resource)))).toBe(inOrder(expected));
});

/** A document with its members in their order, because clients may rely on it. */
function inOrder(document: object): string {
  return JSON.stringify(document, undefined, 2);
}

it('writes each object of a list on a line of its own', () => {
  const lines = render('json', { ...given.two, head: { service: 'search' } }).split('\n');
  const objects = lines.filter((line) => line.startsWith('{"type":')).map((line) => line.replace(/,$/, ''));
  expect(objects.map((line) => JSON.parse(line))).toEqual([autNum, route]);
});

it('preserves every value: line ends, quotes, control and astral characters', () => {
  const value = 'a\n\tb\r "\\" \u0000 \u2028 é 😀';
  const entry = { ...given.autNum, attributes: [{ name: 'remarks', value }] };
  const document = JSON.parse(render('json', { head: {}, objects: [entry] }));
  expect(document.objects.object[0].attributes.attribute).toEqual([{ name: 'remarks', value }]);
});

it('streams: a late message comes after the objects in a well-formed document', () => {
  const writer = createWriter('json');
  const pieces = [writer.open({ listsObjects: true }), writer.object(given.autNum)];
  pieces.push(writer.messages(given.notFound.messages!), writer.close({}));
  const document = JSON.parse(pieces.join(''));
  expect(Object.keys(document)).toEqual(['objects', 'errormessages']);
});
