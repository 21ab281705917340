import { expect, it } from 'vitest';
import * as given from './entries.fixture.js';
import { render } from './render.js';
import type { Resource } from './whois-resources.js';

it.each<[string, Resource, string]>([
  ['an object and an empty line', given.lookup, 'aut-num:        AS64500\nsource:         TEST # Filtered\n\n'],
  ['a single version without an empty line', { head: {}, objects: [given.route] }, 'route:          192.0.2.0/24\n'],
  [
    'messages filled in',
    given.refused,
    'Severity: Error\nText: "admin-c" is not valid for this object type\n' +
      'Severity: Warning\nText: A 100% warning\n' +
      'Severity: Info\nText: Dry-run performed\nlocator: https://example.net/terms',
  ],
  [
    'a search without result with its template and arguments',
    given.notFound,
    'https://rest.example.net/TEST/mntner/ABSENT-MNT\nSeverity: Error\nText: ERROR:101: no entries found\n\n' +
      'No entries found in source %s.\n[TEST]\nhttps://example.net/terms\n',
  ],
  [
    'versions as a table',
    given.versions,
    'Version history for AUT-NUM object "AS64500"\n\n' +
      'rev#  Date              Op.    \n' +
      '1     2025-01-01T00:00:00Z  ADD/UPD\n' +
      '12    2025-02-01T10:20:30Z  DEL     no longer used\n',
  ],
  ['a template as it is', given.template, 'route:          [mandatory]    [single]     [primary/lookup key]\n'],
  ['sources', given.sources, 'source:         TEST\ngrs-source:     EXAMPLE-GRS\n'],
  [
    'the objects of a search, messages about them as comments, and nothing else about them',
    given.searched,
    '% conflict with ROUTE\n\nroute:          192.0.2.0/24\n\n',
  ],
  [
    'a location as the attributes that say it',
    given.located,
    'geoloc:         52.37 4.89\nlanguage:       en\nlanguage:       nl\ngeofeed:        https://example.net/geofeed.csv\n',
  ],
])('text shows %s', (_what, resource, expected) => {
  expect(render('text', resource)).toBe(expected);
});
