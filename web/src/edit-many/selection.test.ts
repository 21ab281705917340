import { expect, test } from 'vitest';
import { findWork, type TabStorage } from '../edit/kept-work.js';
import { paths } from '../paths.js';
import { keepSelection, type ManyWork } from './selection.js';

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
const kept = (storage: TabStorage) => findWork<ManyWork>(storage, paths.editMany, 'someone@example.net');

test('a selection is the work of the page, in place of the one before, and goes on without a question', () => {
  const storage = newStorage();
  expect(keepSelection(storage, [route('192.0.2.0/24AS1')])).toBe(true);
  keepSelection(storage, [route('198.51.100.0/24AS2'), { source: 'TEST', type: 'inetnum', key: '10.0.0.0 - 10.0.0.9' }]);
  expect(kept(storage)).toMatchObject({
    resumes: true,
    work: { names: 'TEST/route/198.51.100.0/24AS2\nTEST/inetnum/10.0.0.0%20-%2010.0.0.9\n' },
  });
});

test('a selection is bounded, and may be impossible to keep', () => {
  const storage = newStorage();
  keepSelection(storage, Array.from({ length: 5000 }, (_, index) => route(`192.0.2.0/24AS${index}`)));
  expect(kept(storage)?.work.names.trim().split('\n')).toHaveLength(1000);
  expect(keepSelection(undefined, [])).toBe(false);
});
