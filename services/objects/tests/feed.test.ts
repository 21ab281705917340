import { setTimeout as delay } from 'node:timers/promises';
import type { ChangeEntry, WatchRequest, WatchResponse } from '@cadastre/proto/objects';
import { Operation, View } from '@cadastre/proto/registry';
import pg from 'pg';
import { expect, onTestFinished, test, vi } from 'vitest';
import { pollMs } from '../src/store/recent-changes.js';
import { currentSerial, takeSerials } from '../src/store/serials.js';
import { feedOf, loadText, mntner, person, put, readerOf, remove, useContext } from './test-context.js';

const setup = useContext();

const newest = () => currentSerial(setup.context.readPool, setup.context.sources.main.id);

/** Long enough for the slowest test on a busy machine. */
const deadlineMs = 150_000;

let client: ReturnType<typeof feedOf> | undefined;

function watching(request: Partial<WatchRequest>) {
  const stop = new AbortController();
  const all = { source: 'TEST', afterSerial: 0n, keysOnly: false, fromNow: false, latestOnly: false };
  client ??= feedOf(setup.context);
  const responses = client.watch({ ...all, ...request }, { signal: stop.signal, deadlineMs });
  return { responses: responses[Symbol.asyncIterator](), stop: () => stop.abort() };
}

/** The next message that is no heartbeat: on a busy machine one may come before a change. */
async function nextNews({ responses }: Pick<ReturnType<typeof watching>, 'responses'>): Promise<WatchResponse> {
  for (;;) {
    const { value } = (await responses.next()) as { value: WatchResponse };
    if (value.changes.length > 0 || value.skipped) return value;
  }
}

/** No poll and no heartbeat comes from now on: the clock of timers stands still until the test ends. */
function stopTimers(): void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
}

/** Follows the feed until it has reached a serial. */
async function readUntil(request: Partial<WatchRequest>, last: bigint): Promise<ChangeEntry[]> {
  const { responses, stop } = watching(request);
  const changes: ChangeEntry[] = [];
  for (;;) {
    const { value } = (await responses.next()) as { value: WatchResponse };
    changes.push(...value.changes);
    if (value.serial >= last) break;
  }
  stop();
  return changes;
}

test('a follower gets every change in order, however late transactions commit', async () => {
  const start = await newest();
  const writers = 8;
  const writesEach = 25;
  const total = BigInt(writers * writesEach);
  const reading = readUntil({ afterSerial: start }, start + total);
  const committed: bigint[] = [];
  await Promise.all(
    Array.from({ length: writers }, async (_, writer) => {
      for (let turn = 0; turn < writesEach; turn++) {
        const handle = `F${'ABCDEFGH'[writer]}${(turn % 5) + 1}-TEST`;
        // The transaction is open for some time after it reserved its serial; the time differs from one to the next.
        const held = () => delay((writer * 7 + turn * 3) % 11);
        committed.push(await put(setup.context, person(handle, `Turn ${'abcdefghij'[turn % 10]}`), held));
      }
    }),
  );
  const changes = await reading;
  const expected = Array.from({ length: Number(total) }, (_, index) => start + BigInt(index + 1));
  expect(changes.map((change) => change.serial)).toEqual(expected);
  expect([...committed].sort((a, b) => Number(a - b))).toEqual(expected);
});

test('a serial that was rolled back leaves no gap', async () => {
  const before = await put(setup.context, person('GA1-TEST'));
  const failed = put(setup.context, person('GA2-TEST'), async () => {
    throw new Error('rolled back');
  });
  await expect(failed).rejects.toThrow('rolled back');
  expect(await put(setup.context, person('GA3-TEST'))).toBe(before + 1n);
});

test('while a transaction holds a serial, later ones wait and the reader sees neither', async () => {
  const start = await newest();
  const release = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  const first = put(setup.context, person('HO1-TEST'), async () => {
    held.resolve();
    await release.promise;
  });
  await held.promise;
  let secondDone = false;
  const second = put(setup.context, person('HO2-TEST')).then((serial) => {
    secondDone = true;
    return serial;
  });
  expect(await newest()).toBe(start);
  expect(secondDone).toBe(false);
  release.resolve();
  expect([await first, await second]).toEqual([start + 1n, start + 2n]);
});

test('each change shows the state that it announced, a deletion the last one', async () => {
  const start = await newest();
  await put(setup.context, person('ST1-TEST', 'First'));
  await put(setup.context, person('ST1-TEST', 'Second'));
  await remove(setup.context, 'person', 'st1-test');
  const last = await put(setup.context, person('ST1-TEST', 'Third'));
  const changes = await readUntil({ afterSerial: start }, last);
  const shown = changes.map(({ operation, object }) => [
    operation,
    object!.revision,
    /person: +(\w+)/.exec(object!.text)![1],
  ]);
  expect(shown).toEqual([
    [Operation.OPERATION_UPDATE, 1, 'First'],
    [Operation.OPERATION_UPDATE, 2, 'Second'],
    [Operation.OPERATION_DELETE, 3, 'Second'],
    [Operation.OPERATION_UPDATE, 4, 'Third'],
  ]);
  expect(changes.map((change) => change.object!.serial)).toEqual(changes.map((change) => change.serial));
  const latest = await readUntil({ afterSerial: start, latestOnly: true }, last);
  expect(latest.map((change) => [change.serial, change.object!.revision])).toEqual([[last, 4]]);
});

test('a deletion that is the newest change shows the last state', async () => {
  const start = await put(setup.context, person('SD1-TEST', 'Last'));
  const last = await remove(setup.context, 'person', 'sd1-test');
  const [change] = await readUntil({ afterSerial: start }, last);
  expect(change).toMatchObject({ serial: last, operation: Operation.OPERATION_DELETE, object: { revision: 2 } });
  expect(change!.object!.text).toBe(person('SD1-TEST', 'Last'));
});

test('keys only: no text', async () => {
  const start = await newest();
  const last = await put(setup.context, person('KO1-TEST'));
  const [change] = await readUntil({ afterSerial: start, keysOnly: true }, last);
  expect(change!.object).toMatchObject({ source: 'TEST', type: 'person', key: 'KO1-TEST', text: '' });
});

test('public copies: what third parties get, and only the key of what they do not get', async () => {
  const start = await newest();
  await put(setup.context, person('PC1-TEST'));
  await put(setup.context, mntner('PC-MNT'));
  const last = await remove(setup.context, 'mntner', 'pc-mnt');
  const complete = await readUntil({ afterSerial: start }, last);
  const copies = await readUntil({ afterSerial: start, publicCopies: true }, last);
  expect(copies.map(({ serial, operation }) => [serial, operation])).toEqual(
    complete.map(({ serial, operation }) => [serial, operation]),
  );
  expect(copies[0]!.object).toMatchObject({ type: 'person', text: '' });
  const [, made, deleted] = copies.map(({ object }) => object!.text);
  expect(made).toContain('mntner:         PC-MNT\n');
  expect(made).toContain('Real value hidden for security');
  expect(deleted).toBe(made);
  expect(made).not.toContain(/auth: +(.*)/.exec(complete[1]!.object!.text)![1]!);
});

test('public copies keep the free texts that the operator publishes of a source', async () => {
  const start = await put(setup.context, mntner('PT1-MNT'));
  await put(
    setup.context,
    `${mntner('PT2-MNT').replace('source:', 'remarks:        Free text of @ and a@example.net\nsource:')}`,
  );
  const texts = async (publicTexts: Map<string, Set<string>>) => {
    const feed = feedOf({ ...setup.context, publicTexts });
    const stop = new AbortController();
    const request = { source: 'TEST', afterSerial: start, publicCopies: true, keysOnly: false, fromNow: false };
    const responses = feed.watch({ ...request, latestOnly: false }, { signal: stop.signal, deadlineMs });
    for await (const { changes } of responses) if (changes.length > 0) return changes[0]!.object!.text;
    throw new Error('no change came');
  };
  expect(await texts(new Map())).not.toContain('Free text');
  expect(await texts(new Map([['OTHER', new Set(['remarks'])]]))).not.toContain('Free text');
  expect(await texts(new Map([['TEST', new Set(['remarks'])]]))).toContain(
    'Free text of @ and unread@example.invalid\n',
  );
});

test('callers that publish what they read get keys and public copies, not complete objects', async () => {
  const published = feedOf({ ...setup.context, publicCallers: ['local'] });
  const open = async (request: Partial<WatchRequest>) => {
    const all = { source: 'TEST', afterSerial: 0n, keysOnly: false, fromNow: true, latestOnly: false };
    const iterator = published.watch({ ...all, ...request })[Symbol.asyncIterator]();
    const first = await iterator.next();
    await iterator.return?.();
    return first.value as WatchResponse;
  };
  await expect(open({})).rejects.toMatchObject({ kind: 'forbidden' });
  expect(await open({ keysOnly: true })).toMatchObject({ changes: [] });
  expect(await open({ publicCopies: true })).toMatchObject({ changes: [] });
});

test('from now: first an empty message with the serial, then only new changes', async () => {
  const start = await newest();
  const { responses, stop } = watching({ fromNow: true, afterSerial: 999_999n });
  expect((await responses.next()).value).toEqual({ changes: [], serial: start });
  const next = nextNews({ responses });
  const serial = await put(setup.context, person('FN1-TEST'));
  expect(await next).toMatchObject({ serial, changes: [{ serial }] });
  stop();
});

test('a commit is announced at once, not at the next poll', async () => {
  stopTimers();
  const { responses, stop } = watching({ fromNow: true });
  await responses.next();
  const next = responses.next();
  const serial = await put(setup.context, person('AN1-TEST'));
  expect((await next).value).toMatchObject({ serial });
  stop();
});

test('a follower finds changes without a notification', async () => {
  const { id } = setup.context.sources.main;
  const { responses, stop } = watching({ fromNow: true });
  await responses.next();
  const next = nextNews({ responses });
  // As if the listening connection had been lost: the newest change again, without a notification.
  await setup.context.writePool.query(
    `with taken as (update source set serial = serial + 1 where id = $1 returning serial)
     insert into change (source_id, serial, type, operation, revision, instant, key, locks)
     select source_id, taken.serial, type, operation, revision, instant, key, '{}' from taken
     join change on source_id = $1 and change.serial = taken.serial - 1`,
    [id],
  );
  expect((await next).serial).toBe(await newest());
  stop();
});

test('a quiet feed sends a heartbeat within ten seconds', async () => {
  const { responses, stop } = watching({ fromNow: true });
  const { value } = await responses.next();
  // Dates stand still, except for this step: the heartbeat is due at the poll that follows.
  vi.setSystemTime(Date.now());
  onTestFinished(() => void vi.useRealTimers());
  const heartbeat = responses.next();
  await newest(); // Meanwhile the feed begins to wait.
  vi.setSystemTime(Date.now() + 10_000 - pollMs);
  expect((await heartbeat).value).toEqual({ changes: [], serial: value.serial });
  stop();
});

/** The statements, by name, that read the feed meanwhile. */
async function readsDuring(work: () => Promise<void>): Promise<string[]> {
  const query = vi.spyOn(pg.Client.prototype, 'query');
  try {
    await work();
    const names = query.mock.calls.map(([statement]) => (statement as unknown as pg.QueryConfig).name ?? '');
    return names.filter((name) => /^read-(?:latest-)?changes$/.test(name));
  } finally {
    query.mockRestore();
  }
}

test('a change is read once for all who follow', async () => {
  stopTimers();
  const requests = [{}, { keysOnly: true }, { latestOnly: true }, { keysOnly: true, latestOnly: true }, {}];
  const followers = requests.map((request) => watching({ fromNow: true, ...request }));
  for (const { responses } of followers) await responses.next();
  const got: WatchResponse[] = [];
  const putAndRead = async (handle: string) => {
    const next = followers.map(({ responses }) => responses.next());
    await put(setup.context, person(handle));
    got.push(...(await Promise.all(next)).map(({ value }) => value));
  };
  await putAndRead('RO0-TEST');
  const reads = await readsDuring(async () => {
    for (const handle of ['RO1-TEST', 'RO2-TEST']) await putAndRead(handle);
  });
  expect(reads).toEqual(['read-changes', 'read-changes']);
  const text = (handle: string, keysOnly = false) => [handle, keysOnly ? '' : person(handle)];
  expect(got.map(({ changes }) => [changes[0]!.object!.key, changes[0]!.object!.text])).toEqual(
    ['RO0-TEST', 'RO1-TEST', 'RO2-TEST'].flatMap((handle) => requests.map(({ keysOnly }) => text(handle, keysOnly))),
  );
  for (const { stop } of followers) stop();
});

test('a follower that is far behind the others misses nothing, and does not delay them', async () => {
  const start = await newest();
  const slow = watching({ fromNow: true });
  const quick = watching({ fromNow: true });
  for (const { responses } of [slow, quick]) expect((await responses.next()).value.serial).toBe(start);
  const serials = async ({ responses }: typeof slow, last: bigint) => {
    const got: bigint[] = [];
    while (got.at(-1) !== last)
      got.push(...(await responses.next()).value.changes.map((one: ChangeEntry) => one.serial));
    return got;
  };
  // More than the cache for followers that are behind.
  const dump = (name: string) => Array.from({ length: 1300 }, (_, n) => person(`SL${n + 1}-TEST`, name)).join('\n');
  await loadText(setup.context, dump('Slow One'));
  const last = await newest();
  const all = Array.from({ length: 1300 }, (_, n) => start + BigInt(n + 1));
  expect(await serials(quick, last)).toEqual(all);
  expect(await serials(slow, last)).toEqual(all);
  const next = [slow, quick].map(nextNews);
  const serial = await put(setup.context, person('SL2000-TEST'));
  expect((await Promise.all(next)).map((value) => value.serial)).toEqual([serial, serial]);
  for (const { stop } of [slow, quick]) stop();
});

test('a follower that may skip gets one message instead of a large load', async () => {
  const { id } = setup.context.sources.main;
  const start = await put(setup.context, person('SK1-TEST'));
  const skipping = [{ maySkip: true }, { maySkip: true, keysOnly: true }].map((request) =>
    watching({ fromNow: true, ...request }),
  );
  const complete = watching({ fromNow: true });
  for (const { responses } of [...skipping, complete]) expect((await responses.next()).value.serial).toBe(start);
  const next = skipping.map(nextNews);
  const many = 10_001n;
  await setup.context.writePool.query(
    `with taken as (update source set serial = serial + $2 where id = $1)
     insert into change (source_id, serial, type, operation, revision, instant, key, locks)
     select source_id, serial + n, type, operation, revision, instant, key, '{}' from change, generate_series(1, $2::bigint) n
     where source_id = $1 and serial = $3`,
    [id, many, start],
  );
  const skipped = { changes: [], serial: start + many, skipped: true };
  expect(await Promise.all(next)).toEqual([skipped, skipped]);
  let seen = 0n;
  for (let last = start; last < start + many; ) {
    const { value } = await complete.responses.next();
    seen += BigInt(value.changes.length);
    last = value.serial;
  }
  expect(seen).toBe(many);
  const serial = await put(setup.context, person('SK2-TEST'));
  for (const { responses, stop } of [...skipping, complete]) {
    expect(await nextNews({ responses })).toMatchObject({ serial, changes: [{ serial }] });
    stop();
  }
});

test('a serial beyond the newest is out of range, an unknown source invalid', async () => {
  const beyond = watching({ afterSerial: (await newest()) + 1n }).responses.next();
  await expect(beyond).rejects.toMatchObject({ kind: 'out-of-range' });
  await expect(watching({ source: 'NO' }).responses.next()).rejects.toMatchObject({ kind: 'invalid' });
});

test('long stretches come in pages of 500', async () => {
  const dump = Array.from({ length: 1100 }, (_, index) => person(`PG${index + 1}-TEST`)).join('\n');
  const start = await newest();
  await loadText(setup.context, dump);
  const { responses, stop } = watching({ afterSerial: start });
  const sizes = [];
  for (let page = 0; page < 3; page++) sizes.push((await responses.next()).value.changes.length);
  expect(sizes).toEqual([500, 500, 100]);
  stop();
});

test('serials are consecutive', async () => {
  const { id } = setup.context.sources.main;
  const start = await newest();
  const client = await setup.context.writePool.connect();
  await client.query('begin');
  expect(await takeSerials(client, id, 3)).toBe(start + 1n);
  expect(await takeSerials(client, id, 1)).toBe(start + 4n);
  await client.query('rollback');
  client.release();
  expect(await newest()).toBe(start);
});

test('a follower learns that the registry has another change with its serial', async () => {
  setup.clock.advance(1000);
  const start = await put(setup.context, person('RS1-TEST'));
  const [change] = await readUntil({ afterSerial: start - 1n }, start);
  const exported = readerOf(setup.context).exportObjects({ source: 'TEST', types: [], view: View.VIEW_COMPLETE });
  for await (const { serial, instant } of exported) {
    expect([serial, instant]).toEqual([start, change!.instant]);
    break;
  }
  const { sources } = await readerOf(setup.context).listSources({});
  expect([sources[0]!.serial, sources[0]!.instant]).toEqual([start, change!.instant]);
  const last = await put(setup.context, person('RS2-TEST'));
  const same = { afterSerial: start, afterInstant: change!.instant };
  expect((await readUntil(same, last)).map(({ serial }) => serial)).toEqual([last]);
  const other = { ...same, afterInstant: new Date(change!.instant!.getTime() - 1) };
  await expect(readUntil(other, last)).rejects.toMatchObject({ kind: 'out-of-range' });
});

test('a feed ends when the connection to the database is lost, and continues when it is opened again', async () => {
  const { responses } = watching({ fromNow: true });
  const before = (await responses.next()).value.serial;
  const ended = expect(responses.next()).rejects.toMatchObject({ kind: 'unavailable' });
  const { rowCount } = await setup.context.readPool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and application_name = 'cadastre-objects-feed'`,
  );
  expect(rowCount).toBe(1);
  await ended;
  const serial = await put(setup.context, person('LC1-TEST'));
  await expect
    .poll(() => readUntil({ afterSerial: before }, serial).catch(() => []))
    .toMatchObject([{ serial, object: { key: 'LC1-TEST' } }]);
});
