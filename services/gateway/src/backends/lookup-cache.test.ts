import { rangeOfKey } from '@cadastre/rpsl';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createLookupCache, type LookupCache, objectName, overlapNames, storedName, typeName } from './lookup-cache.js';

const name = objectName('TEST', 'mntner', 'a-mnt');
const answer = (text: string) => ({
  format: 'json' as const,
  content: Buffer.from(text),
  coding: undefined,
  entityTag: '"x"',
  isPersonal: false,
});

function keep(cache: LookupCache, key: string, text = 'body', object = name) {
  const pending = cache.begin('TEST', object);
  pending?.store(key, answer(text));
  pending?.end();
}

function followed(bytes = 100_000): LookupCache {
  const cache = createLookupCache(bytes);
  cache.setFollowed('test', true);
  return cache;
}

beforeEach(() => {
  vi.useFakeTimers();
  // The cache would treat an entry of time 0 as permanent.
  vi.advanceTimersByTime(1_000);
});
afterEach(() => {
  vi.useRealTimers();
});

it('caches answers per request and removes all answers of an object when it changes', () => {
  const cache = followed();
  keep(cache, 'json /TEST/mntner/A-MNT');
  keep(cache, 'xml /TEST/mntner/A-MNT');
  keep(cache, 'json /TEST/mntner/B-MNT', 'other', objectName('TEST', 'mntner', 'b-mnt'));
  expect(cache.get('json /TEST/mntner/A-MNT')).toEqual(answer('body'));
  cache.invalidate(storedName({ source: 'test', type: 'mntner', key: 'A-Mnt' }));
  expect(cache.get('json /TEST/mntner/A-MNT')).toBeUndefined();
  expect(cache.get('xml /TEST/mntner/A-MNT')).toBeUndefined();
  expect(cache.get('json /TEST/mntner/B-MNT')).toEqual(answer('other'));
});

it('names all spellings of a key alike', () => {
  expect(storedName({ source: 'TEST', type: 'inetnum', key: '192.0.2.0 - 192.0.2.255' })).toBe(
    storedName({ source: 'test', type: 'inetnum', key: '192.0.2.0/24' }),
  );
});

it('does not cache the answer of a lookup during which its object changed', () => {
  const cache = followed();
  const pending = cache.begin('TEST', name);
  cache.invalidate(name);
  pending?.store('k', answer('old'));
  pending?.end();
  expect(cache.get('k')).toBeUndefined();
  keep(cache, 'k', 'new');
  expect(cache.get('k')).toEqual(answer('new'));
});

it('does not cache the answer of a lookup during which the feed broke', () => {
  const cache = followed();
  const pending = cache.begin('TEST', name);
  cache.setFollowed('TEST', false);
  cache.setFollowed('TEST', true);
  pending?.store('k', answer('old'));
  expect(cache.get('k')).toBeUndefined();
});

it('caches nothing of a source without a feed, and removes its entries', () => {
  const cache = followed();
  keep(cache, 'k');
  keep(cache, 'other', 'body', objectName('OTHER', 'mntner', 'a-mnt'));
  cache.setFollowed('TEST', false);
  expect(cache.get('k')).toBeUndefined();
  expect(cache.begin('TEST', name)).toBeUndefined();
});

it('lets every entry die after ten seconds', () => {
  const cache = followed();
  keep(cache, 'k');
  vi.advanceTimersByTime(9_000);
  expect(cache.get('k')).toBeDefined();
  vi.advanceTimersByTime(1_100);
  expect(cache.get('k')).toBeUndefined();
});

it('holds no more bytes than it may', () => {
  const cache = followed(10_000);
  for (let at = 0; at < 100; at++) keep(cache, `k${at}`, 'x'.repeat(500));
  const stored = Array.from({ length: 100 }, (_, at) => cache.get(`k${at}`)).filter((one) => one !== undefined);
  expect(stored.length).toBeGreaterThan(5);
  expect(stored.length).toBeLessThan(20);
  keep(cache, 'huge', 'x'.repeat(5_000));
  expect(cache.get('huge')).toBeUndefined();
});

it('is off with 0 bytes', () => {
  const cache = followed(0);
  keep(cache, 'k');
  expect(cache.get('k')).toBeUndefined();
});

it('caches a document until any of its dependencies changes', () => {
  const cache = followed();
  const person = objectName('TEST', 'person', 'ae1-test');
  const madeOf = [typeName('TEST', 'inetnum'), person];
  const keepDocument = () => cache.beginDocument('TEST')!.store('k', answer('document'), madeOf);
  const changes: readonly [object: string, isStored: boolean][] = [
    [person, false],
    [objectName('TEST', 'inetnum', '192.0.2.0 - 192.0.2.255'), false],
    [objectName('TEST', 'person', 'ae2-test'), true],
    [objectName('OTHER', 'inetnum', '192.0.2.0 - 192.0.2.255'), true],
  ];
  for (const [object, isStored] of changes) {
    keepDocument();
    expect(cache.get('k')).toEqual(answer('document'));
    cache.invalidate(object);
    expect(cache.get('k') !== undefined, object).toBe(isStored);
  }
  keepDocument();
  cache.setFollowed('TEST', false);
  expect(cache.get('k')).toBeUndefined();
  expect(cache.beginDocument('TEST')).toBeUndefined();
});

it('caches a document for five minutes', () => {
  const cache = followed();
  cache.beginDocument('TEST')!.store('k', answer('document'), [name]);
  vi.advanceTimersByTime(299_000);
  expect(cache.get('k')).toEqual(answer('document'));
  vi.advanceTimersByTime(2_000);
  expect(cache.get('k')).toBeUndefined();
});

describe.each(['inetnum', 'inet6num', 'domain'] as const)('a document that depends on what overlaps: %s', (type) => {
  const keys = {
    inetnum: ['192.0.2.0 - 192.0.2.255', '192.0.0.0 - 192.1.255.255', '198.51.100.0 - 198.51.100.255'],
    inet6num: ['2001:db8:1::/48', '2001:c00::/24', '3fff::/48'],
    domain: ['2.0.192.in-addr.arpa', '192.in-addr.arpa', '100.51.198.in-addr.arpa'],
  } as const;
  const inner = {
    inetnum: '192.0.2.128 - 192.0.2.255',
    inet6num: '2001:db8:1:2::/64',
    domain: '0-127.2.0.192.in-addr.arpa',
  };
  const [small, large, other] = keys[type];

  // The object, the one that changes, and whether the document is still cached.
  it.each<[key: string, changed: string, isStored: boolean]>([
    [small, small, false],
    [small, inner[type], false],
    [small, large, false],
    [small, other, true],
    [large, small, false],
    [large, large, false],
  ])('%s when %s changes', (key, changed, isStored) => {
    const cache = followed();
    cache.beginDocument('TEST')!.store('k', answer('document'), overlapNames('TEST', type, rangeOfKey(type, key)!));
    cache.invalidate(objectName('TEST', type, changed));
    expect(cache.get('k') !== undefined).toBe(isStored);
  });
});

it('counts the names of dependencies as memory', () => {
  const cache = followed(100_000);
  const names = (count: number) =>
    Array.from({ length: count }, (_, at) => objectName('TEST', 'person', `p${at}-test`));
  cache.beginDocument('TEST')!.store('few', answer('document'), names(10));
  expect(cache.get('few')).toBeDefined();
  cache.beginDocument('TEST')!.store('many', answer('document'), names(100));
  expect(cache.get('many')).toBeUndefined();
});

it('does not cache a document during whose lookup its source changed', () => {
  const cache = followed();
  const pending = cache.beginDocument('TEST');
  cache.invalidate(objectName('TEST', 'role', 'ar1-test'));
  pending?.store('k', answer('old'), [name]);
  expect(cache.get('k')).toBeUndefined();
  const other = cache.beginDocument('TEST');
  cache.setFollowed('TEST', false);
  cache.setFollowed('TEST', true);
  other?.store('k', answer('old'), [name]);
  expect(cache.get('k')).toBeUndefined();
});
