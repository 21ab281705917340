import { samples } from '@cadastre/rpsl';
import pg from 'pg';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import { inetnum, put, useContext } from './test-context.js';
import { alice, edited, mntner, person, startRegistry, submitted, writerOf } from './write-context.js';

const setup = useContext();
const sendable = useContext({ notifies: true });
const bounded = useContext({ storageQuota: { perDay: 1_000_000, perMntner: 1_000_000, overrides: new Map() } });
const writer = () => writerOf(setup.context);
beforeAll(async () => {
  for (const { context } of [setup, sendable, bounded]) {
    await startRegistry(context);
    await put(context, edited(mntner, { mntner: 'SELF-MNT', 'mnt-by': 'SELF-MNT' }));
  }
});
afterEach(() => void vi.restoreAllMocks());

interface Sent {
  /** Number of round trips of a connection. */
  exchanges: number;
  statements: string[];
  /** Statements that PostgreSQL plans each time, without those that need no plan. */
  unnamed: string[];
}

/** What writes send to PostgreSQL meanwhile. */
async function sentDuring(work: () => Promise<unknown>): Promise<Sent> {
  const sent: Sent = { exchanges: 0, statements: [], unnamed: [] };
  const waiting = new Map<pg.Client, number>();
  const send = pg.Client.prototype.query as (...given: unknown[]) => Promise<unknown>;
  vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (this: pg.Client, ...given: unknown[]) {
    const result = send.apply(this, given);
    const [statement] = given as [string | pg.QueryConfig];
    const { text, name } = typeof statement === 'string' ? { text: statement, name: undefined } : statement;
    if (!isOfWrites(this) || isGreeting(text)) return result;
    sent.statements.push(name ?? text);
    if (name === undefined && !/^(?:begin|commit)/.test(text)) sent.unnamed.push(text);
    const before = waiting.get(this) ?? 0;
    if (before === 0) sent.exchanges++;
    waiting.set(this, before + 1);
    const answered = () => void waiting.set(this, waiting.get(this)! - 1);
    result?.then(answered, answered);
    return result;
  } as never);
  await work();
  return sent;
}

function isOfWrites(client: unknown): boolean {
  const { connectionParameters } = client as { connectionParameters: { application_name?: string } };
  return /^cadastre-objects-(?:write|store)$/.test(connectionParameters.application_name ?? '');
}

/** What a new connection sends first, that of tests too. */
const isGreeting = (text: string) =>
  text.startsWith('select pg_is_in_recovery()') || text.startsWith('set idle_in_transaction_session_timeout');

const net = (range: string) => edited(inetnum(range).replaceAll('SB1-TEST', 'AE1-TEST'), { 'mnt-by': 'EXAMPLE-MNT' });
const without = (...names: string[]) => Object.fromEntries(names.map((name) => [name, undefined]));
const route = edited(samples.route, {
  route: '10.1.0.0/16',
  ...without('pingable', 'holes', 'ping-hdl', 'member-of', 'org'),
});
const contacts = { org: undefined, 'tech-c': 'AE1-TEST', 'zone-c': 'AE1-TEST' };
const domain = edited(samples.domain, { domain: '1.10.in-addr.arpa', ...contacts });

/** Round trips and statements of a create, an update and a deletion. */
test.each<[string, key: string, text: string, Record<'create' | 'update' | 'delete', [number, number]>]>([
  ['person', 'WX1-TEST', edited(person, { 'nic-hdl': 'WX1-TEST' }), { create: [3, 9], update: [3, 8], delete: [4, 9] }],
  [
    'inetnum',
    '10.0.0.0 - 10.255.255.255',
    net('10.0.0.0 - 10.255.255.255'),
    { create: [3, 11], update: [3, 8], delete: [4, 9] },
  ],
  ['route', '10.1.0.0/16AS64500', route, { create: [3, 10], update: [3, 8], delete: [4, 9] }],
  ['domain', '1.10.in-addr.arpa', domain, { create: [3, 12], update: [3, 8], delete: [4, 9] }],
])('%s', async (type, key, text, expected) => {
  const writes = {
    create: () => writer().create(text),
    update: () => writer().update(type, key, `${text}remarks: updated\n`),
    delete: () => writer().remove(type, key),
  };
  const counted: Record<string, [number, number]> = {};
  const outcomes: string[] = [];
  for (const [verb, write] of Object.entries(writes)) {
    const { exchanges, statements, unnamed } = await sentDuring(async () => outcomes.push((await write()).outcome));
    vi.restoreAllMocks();
    expect(unnamed).toEqual([]);
    counted[verb] = [exchanges, statements.length];
  }
  expect(outcomes).toEqual(['CREATED', 'MODIFIED', 'DELETED']);
  expect(counted).toEqual(expected);
});

test.each<[string, notify: string, handle: string, facts: string[], added: string[]]>([
  ['one more statement', 'alice@example.net', 'WX2-TEST', [], []],
  ['and two for a new address', 'noc@example.net', 'WX5-TEST', ['find-named-addresses'], ['name-addresses']],
  ['and one for an address that the registry knows', 'noc@example.net', 'WX6-TEST', ['find-named-addresses'], []],
])('the recipients of a write are %s, in no further round trip', async (_what, notify, handle, before, added) => {
  const text = edited(person, { 'nic-hdl': handle, notify });
  const silent = await sentDuring(() => writer().create(text));
  vi.restoreAllMocks();
  const reported = await sentDuring(() => writerOf(sendable.context).create(text));
  const { statements } = silent;
  expect(reported.statements).toEqual([
    ...statements.slice(0, -4),
    ...before,
    ...statements.slice(-4, -2),
    'store-create-handles-records',
    ...added,
    'record-notices',
    'commit',
  ]);
  expect([reported.exchanges, reported.unnamed]).toEqual([silent.exchanges, []]);
});

test('quotas are one more statement, in no further round trip; a deletion has none', async () => {
  const text = edited(person, { 'nic-hdl': 'WX8-TEST', 'mnt-by': 'SELF-MNT' });
  const write = async (context: typeof setup.context) => {
    const writes = writerOf(context);
    const sent = [];
    for (const one of [() => writes.create(text), () => writes.remove('person', 'WX8-TEST')]) {
      sent.push(await sentDuring(one));
      vi.restoreAllMocks();
    }
    return sent;
  };
  const [plain, counted] = [await write(setup.context), await write(bounded.context)];
  const expected = plain[0]!.statements.toSpliced(-4, 0, 'load-storage-use').with(-2, 'store-create-handles-charges');
  expect(counted[0]!.statements).toEqual(expected);
  expect(counted.map(({ exchanges, unnamed }) => [exchanges, unnamed])).toEqual([
    [plain[0]!.exchanges, []],
    [plain[1]!.exchanges, []],
  ]);
  expect(counted[1]!.statements).toEqual(plain[1]!.statements);
});

test('a key is one more statement, in no further round trip; its retry opens no transaction', async () => {
  const text = (handle: string) => edited(person, { 'nic-hdl': handle });
  const options = { principal: alice, dryRun: false };
  const create = (handle: string) => ({ source: 'TEST', type: 'person', object: submitted(text(handle)), options });
  const keyed = () => {
    const request = {
      write: { $case: 'create', value: create('WX4-TEST') } as const,
      key: { key: 'k', request: Buffer.from('r') },
    };
    return writer().client.write(request);
  };
  const plain = await sentDuring(() => writer().client.createObject(create('WX3-TEST')));
  vi.restoreAllMocks();
  const once = await sentDuring(keyed);
  vi.restoreAllMocks();
  const again = await sentDuring(keyed);
  expect(once.statements).toEqual(
    plain.statements.toSpliced(-2, 1, 'store-create-handles-keys-records', 'keep-repeatable'),
  );
  expect([once.exchanges, once.unnamed]).toEqual([plain.exchanges, []]);
  expect(again.statements).toEqual([]);
});

test('writes at the same time load by the statements of one, and are stored together', async () => {
  const handles = Array.from({ length: 12 }, (_, at) => `WX${20 + at}-TEST`);
  const create = (handle: string) =>
    writerOf(sendable.context).create(edited(person, { 'nic-hdl': handle, notify: 'alice@example.net' }));
  const alone = await sentDuring(() => create('WX19-TEST'));
  vi.restoreAllMocks();
  const outcomes: string[] = [];
  const together = await sentDuring(async () => {
    const writes = handles.map(create);
    outcomes.push(...(await Promise.all(writes)).map(({ outcome }) => outcome));
  });
  expect(outcomes).toEqual(handles.map(() => 'CREATED'));
  expect(together).toEqual(alone);
});
