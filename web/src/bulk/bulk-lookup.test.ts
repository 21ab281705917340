import type { ResourceDescription } from '@cadastre/client';
import { describe, expect, test } from 'vitest';
import { RequestFailed } from '../api/registry.js';
import { type AskResources, type BulkState, createBulkLookup } from './bulk-lookup.js';
import { findResources } from './find-resources.js';

type Reply = readonly ResourceDescription[] | Error;

const described = (resource: string, error?: string): ResourceDescription => ({
  resource,
  routes: [],
  ...(error === undefined ? {} : { error }),
});

/** A lookup whose registry replies to each request with the next list of pieces. */
function lookupWith(replies: readonly (readonly Reply[])[], size = 10) {
  const requested: (readonly string[])[] = [];
  const pauses: number[] = [];
  const ask: AskResources = async function* (resources) {
    requested.push(resources);
    for (const reply of replies[requested.length - 1] ?? []) {
      if (reply instanceof Error) throw reply;
      yield reply;
    }
  };
  const lookup = createBulkLookup({ ask, size, pause: async (seconds) => void pauses.push(seconds) });
  const states: BulkState[] = [];
  lookup.subscribe(() => states.push(lookup.state()));
  return { lookup, requested, pauses, states };
}

const failed = (status: number, retryAfterSeconds = 0) =>
  new RequestFailed(status, [{ severity: 'Error', text: `status ${status}` }], { retryAfterSeconds });

const answered = ({ rows }: BulkState) => rows.filter(({ answer }) => answer !== undefined).map(({ text }) => text);

test('requests what is found, private addresses too, and shows answers as they arrive', async () => {
  const { lookup, requested, states } = lookupWith([
    [[described('8.8.8.8')], [described('10.0.0.1'), described('9.9.9.9'), described('AS3333')]],
  ]);
  await lookup.start(findResources('8.8.8.8 10.0.0.1 9.9.9.9 8.8.8.8 AS3333'));
  expect(requested).toEqual([['8.8.8.8', '10.0.0.1', '9.9.9.9', 'AS3333']]);
  expect(states.map(({ phase, answered, requested }) => [phase, answered, requested])).toEqual([
    ['running', 0, 4],
    ['running', 1, 4],
    ['running', 4, 4],
    ['done', 4, 4],
  ]);
  expect(answered(states[1]!)).toEqual(['8.8.8.8']);
});

test('sends several requests for many resources', async () => {
  const { lookup, requested } = lookupWith(
    [[[described('8.8.8.8'), described('8.8.8.9')]], [[described('AS3333')]]],
    2,
  );
  await lookup.start(findResources('8.8.8.8 8.8.8.9 AS3333'));
  expect(requested).toEqual([['8.8.8.8', '8.8.8.9'], ['AS3333']]);
  expect(lookup.state().phase).toBe('done');
});

test('waits while a limit is used up, then goes on where it was', async () => {
  const { lookup, requested, pauses, states } = lookupWith([
    [[described('8.8.8.8')], failed(429, 7)],
    [[described('9.9.9.9')]],
  ]);
  await lookup.start(findResources('8.8.8.8 9.9.9.9'));
  expect(requested).toEqual([['8.8.8.8', '9.9.9.9'], ['9.9.9.9']]);
  expect(pauses).toEqual([7]);
  expect(states.map(({ phase }) => phase)).toContain('waiting');
  expect(lookup.state()).toMatchObject({ phase: 'done', answered: 2, waitSeconds: 0 });
});

describe('after a failure', () => {
  test.each([403, 429, 500, 503, 0])(
    '%d it preserves what it has, says why, and resumes on request',
    async (status) => {
      const { lookup, requested } = lookupWith([[[described('8.8.8.8')], failed(status)], [[described('9.9.9.9')]]]);
      await lookup.start(findResources('8.8.8.8 9.9.9.9'));
      expect(lookup.state()).toMatchObject({ phase: 'failed', answered: 1, messages: [{ text: `status ${status}` }] });
      await lookup.resume();
      expect(lookup.state()).toMatchObject({ phase: 'done', answered: 2, messages: [] });
      expect(requested).toEqual([['8.8.8.8', '9.9.9.9'], ['9.9.9.9']]);
    },
  );

  test('of single resources it requests these again', async () => {
    const { lookup, requested } = lookupWith([
      [[described('8.8.8.8'), described('9.9.9.9', 'unavailable')]],
      [[described('9.9.9.9')]],
    ]);
    await lookup.start(findResources('8.8.8.8 9.9.9.9'));
    expect(lookup.state().phase).toBe('done');
    await lookup.resume();
    expect(requested[1]).toEqual(['9.9.9.9']);
    expect(lookup.state().rows.filter(({ answer }) => answer?.error)).toEqual([]);
  });
});

describe('the user', () => {
  /** A lookup whose second piece waits. */
  function held() {
    const go = Promise.withResolvers<void>();
    const requested: (readonly string[])[] = [];
    const ask: AskResources = async function* (resources) {
      requested.push(resources);
      for (const text of resources) {
        yield [described(text)];
        await go.promise;
      }
    };
    return { lookup: createBulkLookup({ ask, size: 10, pause: async () => {} }), requested, release: go.resolve };
  }

  test('stops it, preserves what it has, and may resume', async () => {
    const { lookup, requested, release } = held();
    const running = lookup.start(findResources('8.8.8.8 9.9.9.9'));
    await expect.poll(() => lookup.state().answered).toBe(1);
    lookup.stop();
    release();
    await running;
    expect(lookup.state()).toMatchObject({ phase: 'stopped', answered: 1 });
    await lookup.resume();
    expect(requested[1]).toEqual(['9.9.9.9']);
    expect(lookup.state()).toMatchObject({ phase: 'done', answered: 2 });
  });

  test('starts another one: late answers of the first one are ignored', async () => {
    const { lookup, release } = held();
    const first = lookup.start(findResources('8.8.8.8 9.9.9.9'));
    await expect.poll(() => lookup.state().answered).toBe(1);
    const second = lookup.start(findResources('AS3333'));
    release();
    await Promise.all([first, second]);
    expect(lookup.state()).toMatchObject({ phase: 'done', requested: 1, answered: 1 });
    expect(lookup.state().rows.map(({ text }) => text)).toEqual(['AS3333']);
  });

  test('clears it', async () => {
    const { lookup } = lookupWith([[[described('8.8.8.8')]]]);
    await lookup.start(findResources('8.8.8.8'));
    lookup.clear();
    expect(lookup.state()).toMatchObject({ phase: 'empty', rows: [] });
  });
});
