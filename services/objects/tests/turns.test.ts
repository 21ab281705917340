import { beforeAll, expect, test } from 'vitest';
import { loadText, person, put, readerOf, useContext } from './test-context.js';

const setup = useContext();

const large = (word: string) => person('LA1-TEST') + `remarks:        ${word.repeat(1000)}\n`.repeat(900);
const key = { source: 'TEST', type: 'person', key: 'LA1-TEST' };
const moment = { point: { $case: 'serial' as const, value: 1n } };

beforeAll(async () => {
  expect((await loadText(setup.context, large('x'))).rejected).toEqual([]);
  await put(setup.context, large('y'));
  // Opens the connections to the database.
  await Promise.all(['a', 'b', 'c', 'd'].map(reads.version));
});

const reads = {
  version: (client: string) => readerOf(setup.context).getVersion({ key, revision: 1, withContacts: false, client }),
  'list of versions': (client: string) => readerOf(setup.context).listVersions({ key, client }),
  'past state': (client: string) =>
    readerOf(setup.context).batchLookupPast({ lookups: [{ key, moment, nearest: true }], client }),
};

test.each(Object.entries(reads))(
  'a client that asks for many versions gets one %s while another waits',
  async (_, read) => {
    const ended: string[] = [];
    const requested = (client: string, made: Promise<unknown>) => made.then(() => ended.push(client));
    const many = Array.from({ length: 30 }, () => requested('greedy', reads.version('greedy')));
    await Promise.all([...many, requested('modest', read('modest'))]);
    expect(ended).toHaveLength(31);
    // A read of several statements waits for one version at each of them; without turns, it would be the last.
    expect(ended.indexOf('modest')).toBeLessThan(10);
  },
);
