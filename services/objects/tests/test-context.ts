import {
  BulkLoadServiceService,
  ChangeFeedServiceService,
  HierarchyServiceService,
  type LoadRequest,
  type LoadResponse,
  type LoadSettings,
  LookupStatus,
  MirrorWriteServiceService,
  ObjectReaderServiceService,
  TagServiceService,
} from '@cadastre/proto/objects';
import { View } from '@cadastre/proto/registry';
import { type ObjectTypeName, parseObject, primaryKey, type RpslObject } from '@cadastre/rpsl';
import { type Handlers, inTransaction, onceAvailable, type RpcClient } from '@cadastre/service';
import { fixedClock, inMemoryClient, testDatabase, testLogger } from '@cadastre/service/testing';
import type pg from 'pg';
import { afterAll, beforeAll } from 'vitest';
import { type Context, type ContextOptions, createContext } from '../src/context.js';
import { defaultPolicy } from '../src/domain/policy.js';
import { feedHandlers, hierarchyHandlers, loadHandlers, mirrorHandlers, readerHandlers } from '../src/rpc/index.js';
import { tagHandlers } from '../src/rpc/tags.js';
import { readChanges, type StoredChange } from '../src/store/changes.js';
import { lockSource } from '../src/store/locks.js';
import { loadObjects } from '../src/store/objects.js';
import { currentMoment } from '../src/store/serials.js';
import type { Db, ObjectId } from '../src/store/stored-object.js';
import { type ObjectChange, storeWrites } from '../src/store/writes.js';

const migrations = new URL('../migrations/', import.meta.url);

type Overrides = Partial<
  Pick<ContextOptions, 'source' | 'grsSources' | 'keyDeadlineMs' | 'notifies' | 'webhooks' | 'storageQuota'>
>;

/** A context on a fresh database for the tests of one file, by default with the sources TEST and EXAMPLE-GRS. */
export function useContext(overrides: Overrides = {}): {
  readonly context: Context;
  readonly url: string;
  clock: ReturnType<typeof fixedClock>;
} {
  const clock = fixedClock('2026-01-01T00:00:00Z');
  let made: Awaited<ReturnType<typeof createContext>>;
  let database: Awaited<ReturnType<typeof testDatabase>>;
  beforeAll(async () => {
    database = await testDatabase(migrations);
    made = await createContext({
      databaseUrl: database.url,
      source: 'test',
      grsSources: ['EXAMPLE-GRS'],
      readConnections: 4,
      writeConnections: 12,
      publicCallers: ['gateway'],
      accounts: { resolve: async () => new Map(), resolveSubjects: async () => new Map() },
      policy: defaultPolicy,
      clock: clock.now,
      // On a busy machine the start of a thread may take seconds.
      keyDeadlineMs: 60_000,
      logger: testLogger(),
      ...overrides,
    });
    await keepTransactions(made.context.writePool);
  });
  afterAll(async () => {
    await made?.close();
    await database?.drop();
  });
  return {
    get context() {
      return made.context;
    },
    get url() {
      return database.url;
    },
    clock,
  };
}

const noIdleLimit = 'set idle_in_transaction_session_timeout = 0';

/** PostgreSQL ends no transaction of this pool, also when the machine stops for seconds between two statements. */
async function keepTransactions(pool: pg.Pool): Promise<void> {
  pool.on('connect', (client) => void client.query(noIdleLimit).catch(() => {}));
  await pool.query(noIdleLimit);
}

/** Confirms all addresses that notifications go to. */
export async function confirmNotified(context: Context): Promise<void> {
  await context.writePool.query(
    `insert into mail_address (folded, confirmed, changed) select distinct folded, now(), now() from notification
     on conflict (folded) do update set confirmed = now()`,
  );
}

type Definition = Parameters<typeof inMemoryClient>[0];

/**
 * A client that repeats idempotent calls while the database is unavailable, as all clients do, but for a minute:
 * lookups fail when the machine stops for two seconds.
 */
function repeatingClient<D extends Definition>(definition: D, handlers: Handlers<D>): RpcClient<D> {
  const client = inMemoryClient(definition, handlers);
  const repeated = Object.entries(definition).flatMap(([name, { idempotent, requestStream, responseStream }]) => {
    if (!idempotent || requestStream || responseStream) return [];
    const once = client[name as keyof D] as unknown as (...given: unknown[]) => Promise<unknown>;
    return [[name, (...given: unknown[]) => onceAvailable(() => once(...given), { logger: testLogger() })] as const];
  });
  return { ...client, ...Object.fromEntries(repeated) };
}

export const readerOf = (context: Context) => repeatingClient(ObjectReaderServiceService, readerHandlers(context));
export const hierarchyOf = (context: Context) => repeatingClient(HierarchyServiceService, hierarchyHandlers(context));
export const tagsOf = (context: Context) => repeatingClient(TagServiceService, tagHandlers(context));
export const feedOf = (context: Context) => inMemoryClient(ChangeFeedServiceService, feedHandlers(context));
export const mirrorOf = (context: Context) => inMemoryClient(MirrorWriteServiceService, mirrorHandlers(context));
export const loaderOf = (context: Context) => inMemoryClient(BulkLoadServiceService, loadHandlers(context));

/** The object of a valid text. */
function objectOf(text: string): RpslObject {
  const parsed = parseObject(text);
  if (!parsed.ok) throw new Error(`does not parse: ${text}`);
  return parsed.object;
}

function idOf(context: Context, object: RpslObject): ObjectId {
  const key = primaryKey(object);
  if (!('folded' in key)) throw new Error('has no key');
  return { sourceId: context.sources.main.id, type: object.type, key: key.folded };
}

/** Stores a change without rules; returns the serial. */
async function storeChange(
  context: Context,
  sourceId: number,
  decide: (db: Db) => Promise<ObjectChange>,
  before: (db: Db) => Promise<void> = async () => {},
): Promise<bigint> {
  return inTransaction(context.writePool, async (db) => {
    await lockSource(db, sourceId);
    const write = {
      since: await currentMoment(db, sourceId),
      names: { read: [], written: [] },
      changes: [await decide(db)],
      instant: context.clock(),
      named: { account: '', addresses: [], bound: 0 },
      notice: undefined,
      repeatable: undefined,
      charges: [],
    };
    const [serial] = await storeWrites(db, sourceId, [write]);
    await before(db);
    return serial!;
  });
}

/**
 * Stores a text like an update without rules: creates or replaces; returns the serial. `before` runs before the commit.
 */
export async function put(context: Context, text: string, before?: (db: Db) => Promise<void>) {
  const object = objectOf(text);
  const id = idOf(context, object);
  const signingSubkeys = object.type === 'key-cert' ? await context.certificates.signingSubkeys(object) : [];
  const state = { object, text, signingSubkeys };
  return storeChange(
    context,
    id.sourceId,
    async (db) => {
      const [stored] = await loadObjects(db, [id]);
      return stored === undefined || stored.deleted
        ? { kind: 'create', id, stored, state }
        : { kind: 'update', stored, state };
    },
    before,
  );
}

/** Deletes an existing object. */
export async function remove(context: Context, type: ObjectTypeName, key: string, reason = '--'): Promise<bigint> {
  const id = { sourceId: context.sources.main.id, type, key };
  return storeChange(context, id.sourceId, async (db) => {
    const [stored] = await loadObjects(db, [id]);
    return { kind: 'delete', stored: stored!, reason };
  });
}

export async function lookup(context: Context, type: string, key: string, view = View.VIEW_COMPLETE, source = 'TEST') {
  const { answers } = await readerOf(context).batchLookup({
    lookups: [{ key: { source, type, key }, view, withContacts: true }],
  });
  const { status, object } = answers[0]!;
  return status === LookupStatus.LOOKUP_STATUS_FOUND ? object : undefined;
}

/** Every change of the serials after one, up to another. */
export async function allChanges(
  context: Context,
  sourceId: number,
  { after, upTo }: { after: bigint; upTo: bigint },
): Promise<StoredChange[]> {
  const changes: StoredChange[] = [];
  for (let serial = after; serial < upTo; ) {
    const page = await readChanges(context.readPool, sourceId, { after: serial, latestOnly: false });
    changes.push(...page.changes.filter((change) => change.serial <= upTo));
    ({ serial } = page);
  }
  return changes;
}

/** The value of `allowedDeletes` that allows all. */
export const allDeletes = 2n ** 64n - 1n;

/** Loads pieces of a dump and sorts the reports. */
export async function loadPieces(
  context: Context,
  pieces: Iterable<Buffer> | AsyncIterable<Buffer>,
  settings: Partial<LoadSettings> = {},
) {
  const responses: LoadResponse[] = [];
  for await (const response of loaderOf(context).load(requests(pieces, settings))) responses.push(response);
  const news = responses.map((response) => response.news!);
  return {
    rejected: news.flatMap((one) => (one.$case === 'rejected' ? [one.value] : [])),
    progress: news.flatMap((one) => (one.$case === 'progress' ? [one.value] : [])),
    summary: news.flatMap((one) => (one.$case === 'summary' ? [one.value] : []))[0],
    refused: news.flatMap((one) => (one.$case === 'refused' ? [one.value] : []))[0],
  };
}

export function loadText(context: Context, text: string, settings: Partial<LoadSettings> = {}) {
  return loadPieces(context, [Buffer.from(text, 'latin1')], settings);
}

export async function* requests(
  pieces: Iterable<Buffer> | AsyncIterable<Buffer>,
  settings: Partial<LoadSettings>,
): AsyncGenerator<LoadRequest> {
  const value = { source: 'TEST', replace: false, encoding: 0, dryRun: false, ...settings };
  yield { part: { $case: 'settings', value } };
  for await (const piece of pieces) yield { part: { $case: 'data', value: piece } };
}

export function person(handle: string, name = 'Some Body'): string {
  return text([
    ['person', name],
    ['address', 'Example Street 1'],
    ['phone', '+44 1632 960000'],
    ['e-mail', 'somebody@example.net'],
    ['nic-hdl', handle],
    ['mnt-by', 'ONE-MNT'],
    ['source', 'TEST'],
  ]);
}

export function mntner(name: string, contact = 'SB1-TEST', auth = 'SSO alice@example.net'): string {
  return text([
    ['mntner', name],
    ['admin-c', contact],
    ['upd-to', 'updates@example.net'],
    ['auth', auth],
    ['mnt-by', name],
    ['source', 'TEST'],
  ]);
}

export function inetnum(range: string, netname = 'EXAMPLE-NET'): string {
  return text([
    ['inetnum', range],
    ['netname', netname],
    ['country', 'NL'],
    ['admin-c', 'SB1-TEST'],
    ['tech-c', 'SB1-TEST'],
    ['status', 'ASSIGNED PA'],
    ['mnt-by', 'ONE-MNT'],
    ['source', 'TEST'],
  ]);
}

export function text(attributes: readonly (readonly [string, string])[]): string {
  return attributes.map(([name, value]) => `${`${name}:`.padEnd(16)}${value}\n`).join('');
}
