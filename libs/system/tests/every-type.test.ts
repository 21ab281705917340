import { objectTypes } from '@cadastre/rpsl';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newObjects } from './harness/new-objects.js';
import { type Rest, restClient } from './harness/rest.js';
import { freshDirectory, inOneProcess, type RunningSystem, runSystem } from './harness/run-system.js';
import {
  attributesOf,
  documentOf,
  messagesOf,
  objectOf,
  values,
  type WhoisClient,
  whoisClient,
} from './harness/whois.js';

let data: Awaited<ReturnType<typeof freshDirectory>>;
let system: RunningSystem;
let rest: Rest & { close(): void };
let whois: WhoisClient;

beforeAll(async () => {
  data = await freshDirectory();
  system = await runSystem(data.directory, inOneProcess);
  rest = restClient(system);
  whois = whoisClient(rest, system.credential);
});

afterAll(async () => {
  rest?.close();
  await system?.stop();
  await data.remove();
});

const withRemark = (text: string) => text.replace(/^source:/m, 'remarks:        second version\nsource:');

test('there is a test object of every type', () => {
  expect(newObjects.map(({ type }) => type).sort()).toEqual(objectTypes.map(({ name }) => name).sort());
});

// In the order of creation; the second round deletes in reverse order, so that no reference prevents a deletion.
describe.each(newObjects)('$type', ({ type, key, text, submittedKey = key }) => {
  test('is created as submitted, with generated attributes before the source', async () => {
    const answer = await whois.create(type, text.replace(key, submittedKey));
    expect([answer.status, messagesOf(answer).filter((message) => message.startsWith('Error'))]).toEqual([200, []]);
    const names = objectOf(answer).attributes.attribute.map(({ name }) => name);
    expect(names.slice(-3)).toEqual(['created', 'last-modified', 'source']);
    const submitted = attributesOf(text).map(({ name }) => name);
    const generated = ['created', 'last-modified', 'method', 'owner', 'fingerpr'];
    expect(names.filter((name) => !generated.includes(name))).toEqual(submitted);
  });

  test('is looked up by its key in any letter case', async () => {
    expect((await whois.lookup(type, key)).status).toBe(200);
    expect((await whois.lookup(type.toUpperCase(), key.toLowerCase())).status).toBe(200);
  });

  test('is updated, visible at once', async () => {
    expect((await whois.update(type, key, withRemark(text))).status).toBe(200);
    expect(values(objectOf(await whois.lookup(type, key)), 'remarks')).toEqual(['second version']);
  });

  test('has versions', async () => {
    const list = documentOf(await whois.versions(type, key)).versions?.version ?? [];
    expect(list.map(({ revision, operation }) => [revision, operation])).toEqual([
      [1, 'ADD/UPD'],
      [2, 'ADD/UPD'],
    ]);
    expect(values(objectOf(await whois.version(type, key, 1)), 'remarks')).toEqual([]);
    expect(objectOf(await whois.version(type, key, 2)).version).toBe(2);
  });
});

describe.each(newObjects.toReversed())('$type', ({ type, key }) => {
  test('is deleted, and its history stays', async () => {
    const answer = await whois.remove(type, key);
    expect([answer.status, messagesOf(answer)]).toEqual([200, []]);
    expect((await whois.lookup(type, key)).status).toBe(404);
    expect(documentOf(await whois.versions(type, key)).versions?.version).toHaveLength(3);
    expect((await whois.version(type, key, 1)).status).toBe(200);
  });
});

test('a re-created key continues its revisions', async () => {
  const { type, key, text } = newObjects.find((one) => one.type === 'as-set')!;
  expect((await whois.create(type, text)).status).toBe(200);
  const list = documentOf(await whois.versions(type, key)).versions?.version ?? [];
  expect(list.at(-1)).toMatchObject({ revision: 4, operation: 'ADD/UPD' });
});
