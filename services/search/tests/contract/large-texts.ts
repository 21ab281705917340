import { beforeAll, expect, test } from 'vitest';
import { type IndexedObject, maximalBytes, type SearchIndex, type TypeQuery } from '../../src/index-port.js';
import { document, fill, ipv4Range, load, pages } from './documents.js';

const source = 'LARGE';
const large = 300_000;
const whole = ipv4Range('10.0.0.0', '10.0.255.255');

/** Every third text is large, and one is larger than a page may be. */
function textOf(n: number): string {
  const bytes = n === 7 ? 1_200_000 : n % 3 === 0 ? large : 300;
  return `inetnum: ${n}\n`.padEnd(bytes, 'x');
}

const networks = Array.from({ length: 30 }, (_, n) => {
  const key = `10.0.${String(n).padStart(3, '0')}.0`;
  const range = ipv4Range(`10.0.${n}.0`, `10.0.${n}.255`);
  return document({ source, type: 'inetnum', key, text: textOf(n), range, terms: ['mnt-by=large-mnt'] });
});
const domains = networks.map(({ key, text }) => {
  return document({ source, type: 'domain', key, text, hosts: ['ns1.example.net'] });
});
const many = Array.from({ length: 220 }, (_, n) => {
  const text = textOf(n % 20 ? 1 : 0);
  return document({ source, type: 'person', key: `p${1000 + n}`, text, terms: ['word=large'] });
});
/** Routes of many origins at one range. */
const routes = networks.map(({ key, text }) => {
  return document({ source, type: 'route', key, text, range: whole, origin: key });
});

function expectSmallPages(found: readonly (readonly IndexedObject[])[]): void {
  for (const page of found) {
    const bytes = page.reduce((sum, { text }) => sum + text.length, 0);
    expect(page.length === 1 || bytes <= maximalBytes).toBe(true);
    expect(page.length).toBeGreaterThan(0);
  }
}

/** Bytes limit pages and loads by key; nothing is missing and nothing is out of order. */
export function largeTextsContract(index: () => SearchIndex): void {
  beforeAll(() => fill(index(), source, [...networks, ...domains, ...many, ...routes]));

  const networksIn = (mode: 'all-more' | 'one-more'): TypeQuery => ({
    kind: 'range',
    type: 'inetnum',
    range: whole,
    mode,
  });
  const terms = (type: 'inetnum' | 'person', term: string, order: 'key' | 'address'): TypeQuery => {
    return { kind: 'terms', type, anyOf: [[term]], order };
  };
  test.each([
    ['a term, by key', terms('inetnum', 'mnt-by=large-mnt', 'key'), networks],
    ['a term, by address', terms('inetnum', 'mnt-by=large-mnt', 'address'), networks],
    ['a term of more than two pages', terms('person', 'word=large', 'key'), many],
    ['a host', { kind: 'hosts', type: 'domain', prefix: 'ns1' } as const, domains],
    ['all more specific', networksIn('all-more'), networks],
    ['one more specific', networksIn('one-more'), networks],
    ['an exact range', { kind: 'range', type: 'route', range: whole, mode: 'exact' } as const, routes],
    ['the smallest range', { kind: 'range', type: 'route', range: whole, mode: 'default' } as const, routes],
    ['a covering range', { kind: 'range', type: 'route', range: whole, mode: 'all-less' } as const, routes],
  ])('large objects found by %s come in pages of at most 1 MiB, in order', async (_, query, expected) => {
    const found = await pages(index(), source, query);
    expectSmallPages(found);
    const all = found.flat();
    expect(all.map(({ key }) => key)).toEqual(expected.map(({ key }) => key));
    expect(all.every(({ text }, at) => text === expected[at]!.text)).toBe(true);
  });

  test('what is loaded by key at once has at most 1 MiB, or is one object', async () => {
    const wanted = [...networks.slice(7), ...many].map(({ type, key }) => ({ source, type, key }));
    const parts: (readonly IndexedObject[])[] = [];
    for (let left: readonly (typeof wanted)[number][] = wanted; left.length > 0; ) {
      const { objects, later } = await index().load(left);
      parts.push(objects);
      left = later as typeof wanted;
    }
    expectSmallPages(parts);
    expect(parts.flat().map(({ type, key }) => ({ source, type, key }))).toEqual(wanted);
    expect((await load(index(), wanted)).map((one) => one?.key)).toEqual(wanted.map(({ key }) => key));
  });
}
