import { bounds } from './bounds.js';
import { get, repeated } from './documents.js';
import { type Row, rowsOf, type Sender } from './row.js';

const longest = bounds.urlBytes - 400;

/** The searches of RDAP, and the parameters by which they find. */
const searches: readonly (readonly [kind: string, names: readonly string[]])[] = [
  ['entities', ['fn', 'handle']],
  ['ips', ['name', 'handle']],
  ['autnums', ['name', 'handle']],
  ['domains', ['name']],
];

/** Patterns whose beginnings are common, with few or no matches. */
const wide = ['ex*', 'ex*e*', '19*5', 'as*z', 'ae*', '20*', 'ex??????????????*q'];

/** The rows of searches by RDAP. */
export function rdapSearchRows(): Row[] {
  return (['anonymous', 'maintainer'] as const).flatMap((sender) => [
    ...searches.flatMap(([kind, names]) => nameRows(sender, kind, names)),
    networkRow(sender),
    ...['ips', 'autnums', 'domains'].flatMap((kind) => reverseRows(sender, kind)),
  ]);
}

function nameRows(sender: Sender, kind: string, names: readonly string[]): Row[] {
  const path = `/rdap/${kind}`;
  const rows = rowsOf(`GET ${path}`, sender);
  return names.flatMap((name) => [
    rows(`wide patterns: ${name}`, () =>
      wide.map((text) => get(`${path}?${name}=${encodeURIComponent(text)}&count=true`)),
    ),
    rows(`long patterns: ${name}`, () =>
      ['a', '?', '*', '%25', '_', '%5C', '%C3%A9', '1.', 'a*'].map((text) =>
        get(`${path}?${name}=ab${text.repeat(Math.floor(longest / text.length))}`),
      ),
    ),
    rows(`a long cursor: ${name}`, () => get(`${path}?${name}=ex*&cursor=1.${repeated('A', longest)}`)),
  ]);
}

function networkRow(sender: Sender): Row {
  const prefixes = ['192.0.2.0/24', '0/0', '2001:db8::/32', '::/0', `192.0.2.0/${repeated('0', longest)}24`];
  return rowsOf('GET /rdap/ips', sender)('prefixes: handle', () =>
    prefixes.map((prefix) => get(`/rdap/ips?handle=${encodeURIComponent(prefix)}&count=true`)),
  );
}

function reverseRows(sender: Sender, kind: string): Row[] {
  const path = `/rdap/${kind}/reverse_search/entity`;
  const rows = rowsOf(`GET ${path}`, sender);
  return [
    rows('entities of many objects', () =>
      ['EXAMPLE-MNT', 'AE1-TEST', 'ORG-EX1-TEST'].map((handle) => get(`${path}?handle=${handle}&count=true`)),
    ),
    rows('a long handle', () => get(`${path}?handle=${repeated('a', longest)}`)),
    rows('a long role', () => get(`${path}?handle=AE1-TEST&role=${repeated('a', longest)}`)),
    rows('a long cursor', () => get(`${path}?handle=AE1-TEST&cursor=1.${repeated('A', longest)}`)),
  ];
}
