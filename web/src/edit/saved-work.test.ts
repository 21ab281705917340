import { beforeEach, expect, test } from 'vitest';
import { dropAllWork, dropWork, findWork, type SavedWork, storeWork, type TabStorage } from './saved-work.js';

/** A storage with room for some characters. */
function storageOf(room: number): TabStorage & { entries: Map<string, string> } {
  const entries = new Map<string, string>();
  return {
    entries,
    get length() {
      return entries.size;
    },
    key: (index) => [...entries.keys()][index] ?? null,
    getItem: (key) => entries.get(key) ?? null,
    removeItem: (key) => void entries.delete(key),
    setItem: (key, value) => {
      if (value.length > room) throw new DOMException('full', 'QuotaExceededError');
      entries.set(key, value);
    },
  };
}

const stored = (work: string, account = 'a@example.net'): SavedWork<string> => ({
  saved: '2026-01-02T03:04:05.000Z',
  account,
  resumes: false,
  work,
});
let storage: ReturnType<typeof storageOf>;

beforeEach(() => {
  storage = storageOf(1000);
});

test('each page has its own work', () => {
  expect(storeWork(storage, '/a', stored('one'))).toBe(true);
  expect(storeWork(storage, '/b', stored('two'))).toBe(true);
  expect(findWork(storage, '/a', 'a@example.net')).toEqual(stored('one'));
  dropWork(storage, '/a');
  expect(findWork(storage, '/a', 'a@example.net')).toBeUndefined();
  expect(findWork(storage, '/b', 'a@example.net')).toEqual(stored('two'));
});

test.each([
  ['the same account', 'a@example.net', 'a@example.net', true],
  ['another account', 'a@example.net', 'b@example.net', false],
  ['nobody, after a session has ended', 'a@example.net', '', true],
  ['an account, when nobody was signed in', '', 'b@example.net', true],
])('work is found again for %s', (_who, by, reader, comesBack) => {
  storeWork(storage, '/a', stored('one', by));
  expect(findWork(storage, '/a', reader) !== undefined).toBe(comesBack);
});

test.each([
  ['with the hash of a password', 'auth: MD5-PW $1$abc$def'],
  ['that is too large', 'x'.repeat(1000)],
])('work %s is not stored, nor what was stored before', (_what, work) => {
  storeWork(storage, '/a', stored('one'));
  expect(storeWork(storage, '/a', stored(work))).toBe(false);
  expect(storage.entries.size).toBe(0);
});

test('without storage nothing is stored, and nothing breaks', () => {
  expect(storeWork(undefined, '/a', stored('one'))).toBe(false);
  expect(findWork(undefined, '/a', '')).toBeUndefined();
  dropAllWork(undefined);
});

test('a user who signs out leaves no work behind, and nothing else is touched', () => {
  storeWork(storage, '/a', stored('one'));
  storeWork(storage, '/b', stored('two'));
  storage.setItem('other', 'x');
  dropAllWork(storage);
  expect([...storage.entries.keys()]).toEqual(['other']);
});
