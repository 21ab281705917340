import { ObjectReaderServiceService } from '@cadastre/proto/objects';
import { View } from '@cadastre/proto/registry';
import { inMemoryClient, testLogger } from '@cadastre/service/testing';
import pg from 'pg';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { type Context, createContext } from '../src/context.js';
import { defaultPolicy } from '../src/domain/policy.js';
import { readerHandlers } from '../src/rpc/index.js';
import { openRelay } from './database-relay.js';
import { person, put, readerOf, useContext } from './test-context.js';

const setup = useContext();

let relay: Awaited<ReturnType<typeof openRelay>>;
let behind: { context: Context; close(): Promise<void> };

beforeEach(async () => {
  await put(setup.context, person('HA1-TEST'));
  relay = await openRelay(setup.url);
  behind = await createContext({
    ...{ databaseUrl: relay.url, source: 'test', grsSources: ['EXAMPLE-GRS'], readConnections: 2, writeConnections: 2 },
    ...{ publicCallers: [], policy: defaultPolicy, clock: setup.clock.now, logger: testLogger() },
    accounts: { resolve: async () => new Map(), resolveSubjects: async () => new Map() },
  });
});
afterEach(async () => {
  relay.close();
  await behind.close();
});

const key = { source: 'TEST', type: 'person', key: 'HA1-TEST' };
const lookups = [{ key, view: View.VIEW_FILTERED, withContacts: false }];
/** Looks once. */
const look = (context: Context, signal?: AbortSignal) =>
  inMemoryClient(ObjectReaderServiceService, readerHandlers(context)).batchLookup(
    { lookups },
    signal ? { signal } : {},
  );

test('lookups on a hanging database are refused, whatever the caller’s deadline', async () => {
  expect((await readerOf(behind.context).batchLookup({ lookups })).answers).toHaveLength(1);
  relay.freeze();
  // Two use open connections, the next ones wait for one or open new ones.
  const outcomes = await Promise.allSettled(Array.from({ length: 6 }, () => look(behind.context)));
  expect(outcomes.map((one) => one.status === 'rejected' && one.reason.kind)).toEqual(Array(6).fill('unavailable'));
  await expect(look(behind.context)).rejects.toMatchObject({ kind: 'unavailable' });
});

test('a cancelled lookup ends its statement in the database', async () => {
  const blocker = new pg.Client(setup.url);
  await blocker.connect();
  const waiting = async () => {
    const { rows } = await setup.context.readPool.query(
      "select count(*) from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()",
    );
    return Number(rows[0].count);
  };
  try {
    await blocker.query('begin');
    await blocker.query('lock table object in access exclusive mode');
    // The time limit of a lookup never comes, however long the test waits.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const caller = new AbortController();
    const lookup = look(behind.context, caller.signal);
    lookup.catch(() => {});
    while ((await waiting()) !== 1);
    caller.abort();
    await expect(lookup).rejects.toMatchObject({ kind: 'cancelled' });
    while ((await waiting()) !== 0);
  } finally {
    await blocker.end();
  }
  expect((await readerOf(behind.context).batchLookup({ lookups })).answers).toHaveLength(1);
});
