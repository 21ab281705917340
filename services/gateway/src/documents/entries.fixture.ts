import type { ObjectEntry } from '@cadastre/documents';
import { Severity } from '@cadastre/proto/registry';
import { SaxesParser } from 'saxes';
import type { AbuseResources } from './abuse-resources.js';
import type { Resource } from './whois-resources.js';

const base = 'https://rest.example.net';

export const autNum: ObjectEntry = {
  type: 'aut-num',
  link: `${base}/test/aut-num/AS64500`,
  source: 'test',
  primaryKey: [{ name: 'aut-num', value: 'AS64500' }],
  attributes: [
    { name: 'aut-num', value: 'AS64500' },
    { name: 'as-name', value: 'EXAMPLE-AS', comment: 'our "network"' },
    {
      name: 'org',
      value: 'ORG-EX1-TEST',
      reference: { type: 'organisation', href: `${base}/test/organisation/ORG-EX1-TEST` },
    },
    { name: 'remarks', value: '' },
    { name: 'source', value: 'TEST', comment: 'Filtered' },
  ],
  tags: [],
  text: 'aut-num:        AS64500\nsource:         TEST # Filtered\n',
};

export const route: ObjectEntry = {
  type: 'route',
  link: `${base}/test/route/192.0.2.0/24AS64500`,
  source: 'test',
  primaryKey: [
    { name: 'route', value: '192.0.2.0/24' },
    { name: 'origin', value: 'AS64500' },
  ],
  attributes: [{ name: 'route', value: '192.0.2.0/24' }],
  tags: [{ id: 'unref', data: '14 <days>' }],
  version: 2,
  text: 'route:          192.0.2.0/24\n',
};

const terms = 'https://example.net/terms';
const version = { version: '1.2.3', timestamp: '2025-01-03T00:00:00Z', 'commit-id': '0a1b2c3' };

export const lookup: Resource = { head: {}, objects: [autNum], tail: { terms, version } };
export const two: Resource = { head: {}, objects: [autNum, route], tail: {} };
export const emptyList: Resource = { head: { listsObjects: true }, tail: { terms } };
export const nothing: Resource = { head: {} };

export const refused: Resource = {
  head: { link: `${base}/NOWHERE/person/EX1-TEST?a=1&b=2` },
  messages: [
    {
      severity: Severity.SEVERITY_ERROR,
      text: '"%s" is not valid for this object type',
      args: ['admin-c'],
      attribute: { name: 'admin-c', value: '        EX1-TEST' },
    },
    { severity: Severity.SEVERITY_WARNING, text: 'A 100%% warning', args: [] },
    { severity: Severity.SEVERITY_INFO, text: 'Dry-run performed', args: [] },
  ],
  tail: { terms },
};

export const notFound: Resource = {
  head: { link: `${base}/TEST/mntner/ABSENT-MNT` },
  messages: [
    {
      severity: Severity.SEVERITY_ERROR,
      text: 'ERROR:101: no entries found\n\nNo entries found in source %s.\n',
      args: ['TEST'],
    },
  ],
  tail: { terms },
};

export const sources: Resource = {
  head: {
    link: `${base}/metadata/sources`,
    service: 'getSupportedDataSources',
    sources: [{ name: 'TEST', id: 'test' }],
    grsSources: [{ name: 'EXAMPLE-GRS', id: 'example-grs', 'grs-id': 'example-grs' }],
  },
};

export const template: Resource = {
  head: {
    service: 'getObjectTemplate',
    templates: [
      {
        type: 'route',
        source: 'test',
        attributes: [
          { name: 'route', requirement: 'MANDATORY', cardinality: 'SINGLE', keys: ['PRIMARY_KEY', 'LOOKUP_KEY'] },
          { name: 'descr', requirement: 'OPTIONAL', cardinality: 'MULTIPLE' },
        ],
        text: 'route:          [mandatory]    [single]     [primary/lookup key]\n',
      },
    ],
  },
};

export const versions: Resource = {
  head: {},
  tail: {
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
};

const contact = { key: 'AR1-TEST', email: 'abuse@example.net', suspect: false, orgId: 'ORG-EX1-TEST' };

/** An object with every annotation of a search. */
const annotated: ObjectEntry = {
  type: 'route',
  link: `${base}/test/route/192.0.2.0/24AS64500`,
  source: 'test',
  primaryKey: [],
  attributes: [
    {
      name: 'org',
      value: 'ORG-EX1-TEST',
      reference: { type: 'organisation', href: `${base}/test/organisation/ORG-EX1-TEST` },
      comment: 'ours',
      managed: true,
    },
  ],
  tags: [{ id: 'legacy', data: '' }],
  resourceHolder: { key: 'ORG-EX1-TEST', name: 'Example & Co' },
  abuseContact: contact,
  managed: true,
  messages: [{ severity: Severity.SEVERITY_WARNING, text: 'conflict with %s', args: ['ROUTE', '24'] }],
  text: 'route:          192.0.2.0/24\n',
};

export const searched: Resource = {
  head: {
    service: 'search',
    parameters: {
      inverseAttributes: ['mnt-by'],
      client: 'example,192.0.2.7',
      types: ['route', 'route6'],
      flags: ['no-filtering'],
      queries: ['"TEST"-MNT'],
      sources: ['TEST'],
    },
    listsObjects: true,
  },
  objects: [annotated],
  tail: { terms },
};

export const searchedPlainly: Resource = {
  head: {
    service: 'search',
    parameters: { inverseAttributes: [], types: [], flags: [], queries: ['x'], sources: [] },
    listsObjects: true,
  },
};

const linkTo = (object: string) => ({ type: 'locator', href: `${base}/test/${object}` });

export const located: Resource = {
  head: {
    link: `${base}/geolocation?ipkey=192.0.2.1`,
    service: 'geolocation-finder',
    geolocation: {
      location: [{ value: '52.37 4.89', link: linkTo('inetnum/192.0.2.0 - 192.0.2.255') }],
      language: ['en', 'nl'].map((value) => ({ value, link: linkTo('organisation/ORG-EX1-TEST') })),
      geofeed: [{ value: 'https://example.net/geofeed.csv', link: linkTo('inetnum/192.0.2.0 - 192.0.2.255') }],
    },
  },
  tail: { terms },
};

export const abuseResources: AbuseResources = {
  link: `${base}/abuse-contact/192.0.2.1`,
  primaryKey: '192.0.2.0 - 192.0.2.255',
  contact,
  terms,
};

/** An XML document as name, attributes and content of each element, without white space between elements. */
export function xmlTree(document: string): unknown[] {
  const root: unknown[] = [];
  const open = [root];
  const parser = new SaxesParser({ xmlns: false });
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ name, attributes }) => {
    const element = [name, attributes];
    open.at(-1)!.push(element);
    open.push(element);
  });
  parser.on('text', (text) => text.trim() !== '' && open.at(-1)!.push(text));
  parser.on('closetag', () => open.pop());
  parser.write(document).close();
  return root;
}
