import { randomBytes } from 'node:crypto';
import { readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { publicText } from '../src/publish/public-export.js';
import { keysOf, mntner, newKey, person, role, route, type Trial, useTrials } from './publishing.fixture.js';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

const newTrial = useTrials();

/** The expected public objects. */
function expected({ registry, source }: Trial): string[] {
  return registry
    .current()
    .flatMap((text) => publicText(text, source) ?? [])
    .sort();
}

/** A trial with a first session that the follower has read. */
async function started(): Promise<Trial> {
  const trial = await newTrial();
  trial.registry.put(mntner(trial.registry.source));
  await trial.round();
  await trial.follower.update();
  return trial;
}

/** A minute with a change: its delta, as the follower gets it. */
async function changed(trial: Trial, number: number) {
  trial.registry.put(route(trial.registry.source, number));
  trial.clock.advance(minuteMs);
  await trial.round();
  return trial.follower.update();
}

async function filesOf({ folder, registry }: Trial): Promise<string[]> {
  return readdir(path.join(folder, 'nrtmv4', registry.source));
}

test('a source begins with version 1 and a snapshot, also without objects (N1)', async () => {
  const trial = await newTrial();
  await trial.round();
  const { did, notification } = await trial.follower.update();
  expect(did).toBe('snapshot');
  expect(notification).toMatchObject({ version: 1, snapshot: { version: 1 }, deltas: [] });
  expect(notification.sessionId).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
  expect(trial.follower.objects()).toEqual([]);
});

test('changes of a minute are one delta; without changes for others there is none (N2, N4)', async () => {
  const trial = await started();
  const { source } = trial.registry;
  trial.registry.put([1, 2, 3].map((number) => route(source, number)).join('\n\n'));
  await trial.round();
  const { did, notification } = await trial.follower.update();
  expect(did).toBe('deltas');
  expect(notification).toMatchObject({ version: 2, snapshot: { version: 1 }, deltas: [{ version: 2 }] });
  trial.registry.put(person(source));
  trial.registry.put(role(source));
  trial.registry.remove('person', 'JD1-EXAMPLE');
  await trial.round();
  expect((await trial.follower.update()).did).toBe('nothing');
  expect(trial.follower.objects()).toEqual(expected(trial));
});

test('changes that cancel out are both there, in order (N3, M10)', async () => {
  const trial = await started();
  trial.registry.put(route(trial.registry.source, 1));
  trial.registry.remove('route', '198.51.1.0/24AS64500');
  await trial.round();
  expect((await trial.follower.update()).did).toBe('deltas');
  const actions = [...trial.read().matchAll(/"action":"(\w+)"/g)].map(([, action]) => action);
  expect(actions).toEqual(['add_modify', 'delete']);
});

test('a change that takes an object from others is a deletion', async () => {
  const trial = await started();
  const { source } = trial.registry;
  trial.registry.put(role(source, 'abuse@example.net'));
  await trial.round();
  await trial.follower.update();
  expect(trial.follower.objects()).toHaveLength(2);
  trial.registry.put(role(source));
  await trial.round();
  await trial.follower.update();
  expect(trial.follower.objects()).toEqual(expected(trial));
  expect(trial.follower.objects()).toHaveLength(1);
  trial.registry.put(role(source));
  trial.registry.remove('role', 'OPS1-EXAMPLE');
  await trial.round();
  expect((await trial.follower.update()).did).toBe('nothing');
});

test('no password hash, no person and no e-mail address is in any byte (M11)', async () => {
  const trial = await newTrial();
  const { source } = trial.registry;
  const all = [
    mntner(source),
    person(source),
    role(source, 'abuse@example.net'),
    route(source, 1, 'remarks: me@example.net\n'),
  ];
  trial.registry.put(all.join('\n\n'));
  await trial.round();
  await trial.follower.update();
  trial.registry.put(all.join('\n\n').replaceAll('example.net', 'example.com'));
  await trial.round();
  await trial.follower.update();
  expect(trial.follower.objects()).toHaveLength(3);
  expect(trial.read()).not.toMatch(/@example\.(net|com)|\$1\$abc|SSO|John|Secret|960001|JD1-EXAMPLE/);
});

test('an object is of one part of the main source, and moves as a deletion and an addition', async () => {
  const trial = await started();
  const { source } = trial.registry;
  const part = await newTrial({ partOf: trial });
  const both = [trial, part];
  const updated = async () => {
    for (const { round } of both) await round();
    return Promise.all(both.map(async ({ follower }) => (await follower.update()).did));
  };
  const shown = () => both.map(({ follower }) => follower.objects().map((text) => /198\.51\.\d/.exec(text)?.[0]));
  const at = (name: string, number: number, extra = '') => route(source, number, extra).replace(/source: .*/, name);
  const inPart = `source:         ${source}-NONAUTH`;
  trial.registry.put(
    `${at(inPart, 1)}\n\n${route(source, 2)}\n\n${mntner(source, 'OTHER-MNT').replace(/source: .*/, inPart)}`,
  );
  expect(await updated()).toEqual(['deltas', 'snapshot']);
  expect(shown()).toEqual([[undefined, '198.51.2'], ['198.51.1']]);
  trial.registry.put(`${route(source, 1)}\n\n${at(inPart, 2)}`);
  expect(await updated()).toEqual(['deltas', 'deltas']);
  expect(shown()).toEqual([[undefined, '198.51.1'], ['198.51.2']]);
  // The other part's objects are not published here, nor their changes.
  trial.registry.put(route(source, 1, 'mnt-routes: EXAMPLE-MNT\n'));
  trial.registry.remove('route', '198.51.1.0/24AS64500');
  trial.registry.put(route(source, 3));
  expect(await updated()).toEqual(['deltas', 'nothing']);
  trial.registry.remove('route', '198.51.2.0/24AS64500');
  expect(await updated()).toEqual(['nothing', 'deltas']);
  for (const one of both) expect(one.follower.objects()).toEqual(expected(one));
  expect(part.follower.objects()).toEqual([]);
});

test('the non-authoritative part asks the registry for its types alone, and not for persons', async () => {
  const trial = await newTrial();
  const part = await newTrial({ partOf: trial });
  await trial.round();
  await part.round();
  expect(trial.registry.exported.map((types) => types.length)).toEqual([20, 4]);
  expect(trial.registry.exported[1]).toEqual(['aut-num', 'as-set', 'route', 'route6']);
});

test('a snapshot comes after a day with changes, never without, and never within an hour (N5)', async () => {
  const trial = await started();
  trial.clock.advance(25 * hourMs);
  expect(await trial.snapshot()).toBe(false);
  await changed(trial, 1);
  expect(await trial.snapshot()).toBe(true);
  const { did, notification } = await trial.follower.update();
  expect(did).toBe('nothing');
  expect(notification).toMatchObject({ version: 2, snapshot: { version: 2 }, deltas: [{ version: 2 }] });
  // Large deltas bring the next one forward, but not within the hour.
  trial.registry.put(
    Array.from({ length: 50 }, (_, n) => route(trial.registry.source, n, `member-of: RS-${n}\n`)).join('\n\n'),
  );
  await trial.round();
  expect(await trial.snapshot()).toBe(false);
  trial.clock.advance(hourMs);
  expect(await trial.snapshot()).toBe(true);
  expect((await trial.follower.update()).notification.snapshot.version).toBe(3);
});

test('a snapshot has the objects of its version, not later ones', async () => {
  const trial = await started();
  await changed(trial, 1);
  trial.clock.advance(24 * hourMs);
  trial.registry.put(route(trial.registry.source, 2));
  expect(await trial.publisher().snapshot(trial.lease)).toBe(true);
  trial.registry.remove('route', '198.51.2.0/24AS64500');
  await trial.round();
  const other = await newFollower(trial);
  await other.update();
  expect(other.objects()).toEqual(expected(trial));
});

test('a notification is written anew when nothing changes (N6, M16)', async () => {
  const trial = await started();
  const { notification: first } = await trial.follower.update();
  trial.clock.advance(minuteMs);
  await trial.round();
  expect((await trial.follower.update()).notification.timestamp).toEqual(first.timestamp);
  trial.clock.advance(24 * hourMs);
  await trial.round();
  const { notification } = await trial.follower.update();
  expect(notification).toEqual({ ...first, timestamp: trial.clock.now() });
});

test('deltas of more than a day go, but none above the snapshot; files stay for a while (N7, N8)', async () => {
  const trial = await started();
  await changed(trial, 1);
  await changed(trial, 2);
  trial.clock.advance(25 * hourMs);
  const { notification: without } = await changed(trial, 3);
  expect(without.deltas.map(({ version }) => version)).toEqual([2, 3, 4]);
  expect(await trial.snapshot()).toBe(true);
  const { notification } = await trial.follower.update();
  expect(notification.snapshot.version).toBe(4);
  expect(notification.deltas.map(({ version }) => version)).toEqual([4]);
  expect(await filesOf(trial)).toHaveLength(6);
  trial.clock.advance(5 * minuteMs);
  await trial.round();
  expect(await filesOf(trial)).toHaveLength(6);
  trial.clock.advance(2 * hourMs);
  await trial.round();
  expect(await filesOf(trial)).toHaveLength(3);
  expect((await trial.follower.update()).did).toBe('nothing');
});

test('keys rotate: announced by the old one, then used (N13)', async () => {
  const trial = await started();
  const { privateKey: old } = trial.keys();
  const next = newKey();
  trial.use(keysOf(old, next));
  await trial.round();
  const { notification } = await trial.follower.update();
  expect(notification.nextSigningKey).toBe(keysOf(next).publicKey);
  trial.use(keysOf(next));
  await trial.round();
  expect((await trial.follower.update()).notification.nextSigningKey).toBeUndefined();
  // The follower no longer has the old key.
  trial.use(keysOf(old));
  await trial.round();
  await expect(trial.follower.update()).rejects.toThrow('unknown key');
});

/** A follower who begins now. */
async function newFollower(trial: Trial) {
  const { createFollower } = await import('./follower.fixture.js');
  return createFollower(trial.store, trial.registry.source, trial.keys().publicKey);
}

const losses: Record<string, (trial: Trial) => Promise<void> | void> = {
  'the folder is deleted (M8)': ({ folder }) => rm(path.join(folder, 'nrtmv4'), { recursive: true }),
  'a delta is deleted': async (trial) => {
    const file = (await filesOf(trial)).find((name) => name.startsWith('nrtm-delta.2.'))!;
    await trial.store.remove(`nrtmv4/${trial.registry.source}/${file}`);
    await trial.store.remove(`nrtmv4/${trial.registry.source}/update-notification-file.jose`);
  },
  'a file is deleted, found within an hour': async (trial) => {
    const file = (await filesOf(trial)).find((name) => name.startsWith('nrtm-snapshot.'))!;
    await trial.store.remove(`nrtmv4/${trial.registry.source}/${file}`);
    trial.clock.advance(hourMs);
  },
  'the registry is restored to an earlier state (M9)': ({ registry }) => registry.rewind(2),
  'the registry is restored, and has gone on': ({ registry }) => {
    registry.rewind(2);
    registry.put([7, 8, 9].map((number) => route(registry.source, number)).join('\n\n'));
  },
  'the registry is restored, and is at the same serial': ({ registry }) => {
    registry.rewind(2);
    registry.put(route(registry.source, 9));
  },
  'the feed has forgotten what was not published': ({ registry }) => {
    registry.put([7, 8, 9].map((number) => route(registry.source, number)).join('\n\n'));
    registry.forget(5);
  },
  'objects are made public in another way': async ({ pool, registry: { source } }) => {
    await pool.query('update publication set policy = policy - 1 where source = $1', [source]);
  },
  'the database lost the publication': async ({ pool, registry: { source } }) => {
    for (const table of ['publication', 'publication_file', 'publishing']) {
      await pool.query(`delete from ${table} where source = $1`, [source]);
    }
  },
};

test.for(Object.entries(losses))('a new session begins when %s (N10)', async ([, lose]) => {
  const trial = await started();
  await changed(trial, 1);
  const { notification: before } = await changed(trial, 2);
  await lose(trial);
  await trial.round();
  const { did, notification } = await trial.follower.update();
  expect(did).toBe('snapshot');
  expect(notification.sessionId).not.toBe(before.sessionId);
  expect(notification).toMatchObject({ version: 1, deltas: [] });
  expect(trial.follower.objects()).toEqual(expected(trial));
  // And continues.
  expect((await changed(trial, 4)).did).toBe('deltas');
  expect(trial.follower.objects()).toEqual(expected(trial));
});

test('a database that is restored to yesterday begins a new session, though its files are there (N9)', async () => {
  const trial = await started();
  await changed(trial, 1);
  const { source } = trial.registry;
  const tables = ['publication', 'publication_file', 'publishing'];
  const rows = await Promise.all(
    tables.map(
      async (table) =>
        (await trial.pool.query(`select to_jsonb(t) as row from ${table} t where source = $1`, [source])).rows,
    ),
  );
  const { notification: before } = await changed(trial, 2);
  for (const [at, table] of tables.entries()) {
    await trial.pool.query(`delete from ${table} where source = $1`, [source]);
    for (const { row } of rows[at]!) {
      await trial.pool.query(`insert into ${table} select * from jsonb_populate_record(null::${table}, $1)`, [row]);
    }
  }
  await trial.publisher().round(trial.lease);
  const { did, notification } = await trial.follower.update();
  expect(did).toBe('snapshot');
  expect(notification.sessionId).not.toBe(before.sessionId);
});

test('a notification that somebody deleted or replaced by an old one is written again', async () => {
  const trial = await started();
  const name = `nrtmv4/${trial.registry.source}/update-notification-file.jose`;
  const old = (await trial.store.get(name, 10_000))!;
  const { notification } = await changed(trial, 1);
  const headers = { contentType: 'application/jose', cacheControl: 'no-cache' };
  for (const spoil of [() => trial.store.remove(name), () => trial.store.put(name, old, headers)]) {
    await spoil();
    await trial.round();
    expect((await trial.follower.update()).notification.sessionId).toBe(notification.sessionId);
  }
});

/** A route that gzip does not make smaller than this many bytes. */
function incompressible(trial: Trial, number: number, bytes: number): string {
  const lines = Array.from({ length: bytes / 30 }, () => `member-of:      RS-${randomBytes(30).toString('hex')}\n`);
  return route(trial.registry.source, number, lines.join(''));
}

async function bytesOf(trial: Trial): Promise<number> {
  const stats = (await filesOf(trial)).map((name) =>
    stat(path.join(trial.folder, 'nrtmv4', trial.registry.source, name)),
  );
  return (await Promise.all(stats)).reduce((sum, { size }) => sum + size, 0);
}

test('a source whose files take too many bytes is not published until there is room, and loses nothing', async () => {
  const trial = await started();
  const before = await filesOf(trial);
  const maxBytes = (await bytesOf(trial)) + 30_000;
  const publisher = trial.publisher({ maxBytes });
  for (const number of [1, 2, 3]) {
    trial.registry.put(incompressible(trial, number, 20_000));
    trial.clock.advance(minuteMs);
    if (number === 1) await publisher.round(trial.lease);
    else await expect(publisher.round(trial.lease)).rejects.toThrow('is full: its maximum is');
  }
  expect(await bytesOf(trial)).toBeLessThan(maxBytes);
  expect(await filesOf(trial)).toHaveLength(before.length + 1);
  await trial.follower.update();
  expect(trial.follower.objects()).toHaveLength(2);
  await trial.publisher({ maxBytes: 4 * maxBytes }).round(trial.lease);
  expect((await trial.follower.update()).did).toBe('deltas');
  expect(trial.follower.objects()).toEqual(expected(trial));
});

test('deltas leave room for the snapshot after which the old ones go, and publishing goes on by itself', async () => {
  const trial = await started();
  const snapshot = incompressible(trial, 1, 20_000);
  trial.registry.put(snapshot);
  trial.clock.advance(hourMs);
  await trial.round();
  expect(await trial.snapshot()).toBe(true);
  trial.clock.advance(hourMs);
  await trial.round();
  const publisher = trial.publisher({ maxBytes: (await bytesOf(trial)) + 60_000 });
  let rounds = 0;
  const round = async () => {
    trial.registry.put(incompressible(trial, 1, 15_000));
    trial.clock.advance(minuteMs);
    return publisher.round(trial.lease).then(
      () => true,
      () => false,
    );
  };
  while (await round()) rounds++;
  expect(rounds).toBeGreaterThan(0);
  trial.clock.advance(hourMs);
  expect(await publisher.snapshot(trial.lease)).toBe(true);
  for (const hours of [24, 2]) {
    trial.clock.advance(hours * hourMs);
    await expect(publisher.round(trial.lease)).rejects.toThrow('is full');
  }
  await publisher.round(trial.lease);
  await trial.follower.update();
  expect(trial.follower.objects()).toEqual(expected(trial));
});

test('a first snapshot that does not fit is not published, and leaves nothing', async () => {
  const trial = await newTrial();
  trial.registry.put(incompressible(trial, 1, 20_000));
  await expect(trial.publisher({ maxBytes: 10_000 }).round(trial.lease)).rejects.toThrow(
    'is full: its maximum is 10000',
  );
  expect(await filesOf(trial)).toEqual([]);
  await trial.round();
  await trial.follower.update();
  expect(trial.follower.objects()).toEqual(expected(trial));
});
