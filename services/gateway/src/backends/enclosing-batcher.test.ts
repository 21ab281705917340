import type { RegistryObject } from '@cadastre/proto/registry';
import { ServiceError } from '@cadastre/service';
import { expect, it, onTestFinished, vi } from 'vitest';
import { createNearestBatcher } from './enclosing-batcher.js';
import { createIndexFirst } from './index-first.js';

const options = { source: 'TEST', types: ['inetnum'], deadlineMs: 1000 } as const;
const network = (text: string): RegistryObject => ({
  ...{ source: 'TEST', type: 'inetnum', key: '192.0.2.0 - 192.0.2.255', text },
  ...{ revision: 0, serial: 0n, contacts: [], tags: [] },
});
const answerWith = (text: string) => ({
  answers: [{ objects: [], invalid: false, positions: [0], holding: true }],
  objects: [network(text)],
});

/** Finds around an address, as often as said; returns who answered last, and the requests to search. */
async function ask(newest: bigint | undefined, isAnswered: () => Promise<boolean>, times = 1) {
  const requests: unknown[] = [];
  const find = createNearestBatcher(
    {
      hierarchy: { batchFindEnclosing: async () => ({ ...answerWith('objects'), related: [] }) },
      search: {
        async findNearest(request) {
          requests.push(request);
          return { answered: await isAnswered(), ...answerWith('search') };
        },
      },
    },
    createIndexFirst(() => newest, options.deadlineMs),
    options,
  );
  for (let time = 1; time < times; time++) await find('192.0.2.1');
  return { found: await find('192.0.2.1'), requests };
}

const from = (text: string) => [{ ...network(text), isHolding: true }];

it('asks search for the state that the gateway has seen', async () => {
  const { found, requests } = await ask(7n, async () => true);
  expect(found).toEqual(from('search'));
  expect(requests).toEqual([{ resources: ['192.0.2.1'], types: ['inetnum'], minSerial: 7n }]);
});

it.each<[string, bigint | undefined, () => Promise<boolean>, number]>([
  ['the index cannot answer', 7n, async () => false, 1],
  ['search fails', 7n, () => Promise.reject(new ServiceError('unavailable', 'away')), 1],
  ['the gateway does not follow the source', undefined, async () => true, 0],
])('asks the objects service when %s', async (_, newest, isAnswered, calls) => {
  const { found, requests } = await ask(newest, isAnswered);
  expect(found).toEqual(from('objects'));
  expect(requests).toHaveLength(calls);
});

it.each([
  ['fails', 1, () => Promise.reject(new ServiceError('timeout', 'slow'))],
  ['answers that its index is older', 3, async () => false],
])('after search %s, %i of three batches ask it', async (_, calls, isAnswered) => {
  // Search gets no requests for a second after a failure, which may end while the machine pauses.
  const clock = vi.spyOn(performance, 'now').mockReturnValue(1_000);
  onTestFinished(() => clock.mockRestore());
  const { found, requests } = await ask(7n, isAnswered, 3);
  expect(found).toEqual(from('objects'));
  expect(requests).toHaveLength(calls);
});

it('passes on what is broken', async () => {
  await expect(ask(7n, () => Promise.reject(new TypeError('broken')))).rejects.toThrow('broken');
});
