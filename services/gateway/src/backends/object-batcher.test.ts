import { LookupStatus } from '@cadastre/proto/objects';
import type { RegistryObject } from '@cadastre/proto/registry';
import { ServiceError } from '@cadastre/service';
import { expect, it } from 'vitest';
import { createIndexFirst } from './index-first.js';
import { createObjectBatcher } from './object-batcher.js';

const options = { source: 'TEST', deadlineMs: 1000 };
const person = (key: string, text: string): RegistryObject => ({
  ...{ source: 'TEST', type: 'person', key, text },
  ...{ revision: 0, serial: 0n, contacts: [], tags: [] },
});
const name = (key: string) => ({ type: 'person', key }) as const;

/** Finds two persons, of whom the second does not exist; the objects service cannot read a third one. */
function finder(isAnswered: () => Promise<boolean>) {
  const requests: unknown[] = [];
  const search = {
    async findByKeys(request: unknown) {
      requests.push(request);
      return { answered: await isAnswered(), objects: [person('P1-TEST', 'search')] };
    },
  };
  const lookUp = async ({ key }: { readonly key: { readonly key: string } | undefined }) => {
    if (key?.key === 'broken') throw new ServiceError('internal', 'cannot be read');
    return key?.key === 'p1-test'
      ? { status: LookupStatus.LOOKUP_STATUS_FOUND, object: person('P1-TEST', 'objects') }
      : { status: LookupStatus.LOOKUP_STATUS_NOT_FOUND, object: undefined };
  };
  const find = createObjectBatcher(
    { search, lookUp: lookUp as never },
    createIndexFirst(() => 7n, options.deadlineMs),
    options,
  );
  return { find, requests };
}

it('finds the objects of one turn by one call to search', async () => {
  const { find, requests } = finder(async () => true);
  const found = await Promise.all([find(name('p1-test')), find(name('P2-TEST'))]);
  expect(found.map((one) => one?.text)).toEqual(['search', undefined]);
  const keys = ['p1-test', 'P2-TEST'].map((key) => ({ source: 'TEST', ...name(key) }));
  expect(requests).toEqual([{ keys, minSerial: 7n }]);
});

it.each([
  ['cannot answer', async () => false],
  ['fails', () => Promise.reject(new ServiceError('unimplemented', 'an older release'))],
])('finds each object by the objects service when search %s', async (_, isAnswered) => {
  const { find } = finder(isAnswered);
  const found = await Promise.allSettled([find(name('p1-test')), find(name('P2-TEST')), find(name('broken'))]);
  expect(found).toEqual([
    { status: 'fulfilled', value: expect.objectContaining({ text: 'objects' }) },
    { status: 'fulfilled', value: undefined },
    { status: 'rejected', reason: expect.objectContaining({ kind: 'internal' }) },
  ]);
});
