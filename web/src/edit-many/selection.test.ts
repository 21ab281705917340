import { expect, test } from 'vitest';
import { dropAllWork, type TabStorage } from '../edit/saved-work.js';
import { readNames } from './named-objects.js';
import { dropSelection, findSelection, storeSelection } from './selection.js';

function newStorage(): TabStorage {
  const entries = new Map<string, string>();
  return {
    get length() {
      return entries.size;
    },
    key: (index) => [...entries.keys()][index] ?? null,
    getItem: (key) => entries.get(key) ?? null,
    removeItem: (key) => void entries.delete(key),
    setItem: (key, value) => void entries.set(key, value),
  };
}

const route = (key: string) => ({ source: 'TEST', type: 'route', key });

test('a selection replaces the one before, until it is dropped or the user signs out', () => {
  const storage = newStorage();
  const names = [route('198.51.100.0/24AS2'), { source: 'TEST', type: 'inetnum', key: '10.0.0.0 - 10.0.0.9' }];
  storeSelection(storage, [route('192.0.2.0/24AS1')]);
  storeSelection(storage, names);
  expect(readNames(findSelection(storage), 'TEST')).toEqual({ names, unknown: [] });
  dropSelection(storage);
  expect(findSelection(storage)).toBe('');
  storeSelection(storage, names);
  dropAllWork(storage);
  expect(findSelection(storage)).toBe('');
});

test('a selection is bounded, and storing it may fail', () => {
  const storage = newStorage();
  storeSelection(
    storage,
    Array.from({ length: 5000 }, (_, index) => route(`192.0.2.0/24AS${index + 1}`)),
  );
  expect(readNames(findSelection(storage), 'TEST').names).toHaveLength(1000);
  storeSelection(undefined, []);
  expect(findSelection(undefined)).toBe('');
});
