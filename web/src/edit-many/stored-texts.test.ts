import { expect, test } from 'vitest';
import { RequestFailed } from '../api/registry.js';
import type { ObjectName } from '../paths.js';
import { lookUpMissing, type StoredTexts } from './stored-texts.js';

const person = (key: string) => ({ source: 'TEST', type: 'person', key });
const many = Array.from({ length: 20 }, (_, index) => person(`A${index + 1}-TEST`));
const found = ({ key }: ObjectName) => Promise.resolve({ text: key, tag: `"${key}"` });

test('looks up what is missing, at most four at a time', async () => {
  const stored: StoredTexts = new Map([['TEST/person/A1-TEST', undefined]]);
  const requested: string[] = [];
  let running = 0;
  let max = 0;
  await lookUpMissing(many, stored, async (name) => {
    requested.push(name.key);
    max = Math.max(max, ++running);
    await Promise.resolve();
    running--;
    return found(name);
  });
  expect(max).toBe(4);
  expect(requested).toEqual(many.slice(1).map(({ key }) => key));
  expect([stored.get('TEST/person/A1-TEST'), stored.get('TEST/person/A20-TEST')?.text]).toEqual([
    undefined,
    'A20-TEST',
  ]);
});

test('what does not exist is known to be missing', async () => {
  const stored = await lookUpMissing([person('A1-TEST')], new Map(), () => Promise.reject(new RequestFailed(404, [])));
  expect([...stored]).toEqual([['TEST/person/A1-TEST', undefined]]);
});

test('after a failure no more lookups begin, and the next attempt requests the rest', async () => {
  const stored: StoredTexts = new Map();
  let requested = 0;
  const failing = (name: ObjectName) => {
    requested++;
    return name.key === 'A3-TEST' ? Promise.reject(new RequestFailed(503, [])) : found(name);
  };
  await expect(lookUpMissing(many, stored, failing)).rejects.toMatchObject({ status: 503 });
  expect(requested).toBeLessThan(12);
  const before = stored.size;
  requested = 0;
  await lookUpMissing(many, stored, (name) => {
    requested++;
    return found(name);
  });
  expect([requested, stored.size]).toEqual([20 - before, 20]);
});
