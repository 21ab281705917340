import { cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { LookupStatus } from '@cadastre/proto/objects';
import { View } from '@cadastre/proto/registry';
import { testDatabase, testLogger } from '@cadastre/service/testing';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createContext } from '../src/context.js';
import { defaultPolicy } from '../src/domain/policy.js';
import { migrateObjects } from '../src/migrate.js';
import { typeCodes } from '../src/store/codes.js';
import { readerOf } from './test-context.js';

/** `CADASTRE_TEST_UPGRADE_OBJECTS=1000000 npx vitest run services/objects/tests/upgrade.test.ts` takes minutes. */
const count = Number(process.env.CADASTRE_TEST_UPGRADE_OBJECTS ?? 5_000);
const timeoutMs = 180_000 + count / 2;

const migrations = fileURLToPath(new URL('../migrations/', import.meta.url));

/** The schema of version 0.1.0, so that every later migration meets the objects. */
const newestOfRelease = '0002-email-marks.sql';

/** A statement that waits longer for a lock fails, and with it the test. A busy machine needs long for few objects. */
const lockTimeout = count > 100_000 ? '5s' : '30s';

const columns = 'source_id, type, revision, serial, announced, created, modified, key, text, refs';
/** Column values of object `n`: every tenth is a mntner with an account, the others are persons. */
const values = (
  n: string | number,
) => `1, case when ${n} % 10 = 0 then ${typeCodes.mntner} else ${typeCodes.person} end,
  1, ${n}, ${n}, now(), now(),
  case when ${n} % 10 = 0 then 'up' || ${n} || '-mnt' else ${handle(n)} end,
  case when ${n} % 10 = 0
    then E'mntner: UP' || ${n} || E'-MNT\\nauth: SSO account-' || ${n} || E'\\nmnt-by: UP' || ${n} || E'-MNT\\n'
    else E'person: Upgraded Person\\nnic-hdl: ' || ${handle(n)} || E'\\nmnt-by: UP10-MNT\\n'
  end || E'source: TEST\\n', array[${n}::bigint * 7919, ${n} % 1000]`;
/** A handle has at most six digits. */
const handle = (n: string | number) => `'up' || chr(97 + ${n} / 1000000) || ${n} % 1000000 || '-test'`;

let database: { url: string; drop(): Promise<void> };

beforeAll(async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'cadastre-migrations-'));
  const names = (await readdir(migrations)).filter((name) => name <= newestOfRelease);
  for (const name of names) await cp(path.join(migrations, name), path.join(folder, name));
  database = await testDatabase(pathToFileURL(`${folder}/`));
  await rm(folder, { recursive: true });
  await withClient(async (db) => {
    await db.query(`insert into source (name, kind, serial) values ('TEST', 'main', ${count})`);
    await db.query(`insert into object (${columns}) select ${values('n')} from generate_series(1, ${count}) n`);
    await db.query('insert into change select 1, serial, type, 1, 1, modified, key from object');
    await db.query('vacuum analyze');
  });
}, timeoutMs);
afterAll(() => database?.drop());

async function withClient<T>(use: (db: pg.Client) => Promise<T>): Promise<T> {
  const db = new pg.Client({ connectionString: database.url });
  await db.connect();
  return use(db).finally(() => db.end());
}

const keyOf = (serial: number) =>
  `up${String.fromCharCode(97 + Math.trunc(serial / 1_000_000))}${serial % 1_000_000}-test`;

/** Creates a person, updates another object and reads the person, as the release did. Returns the person's serial. */
async function write(db: pg.Client): Promise<number> {
  await db.query('begin');
  const { rows } = await db.query<{ serial: number }>(
    'update source set serial = serial + 10 - serial % 10 + 1 where id = 1 returning serial::integer as serial',
  );
  const { serial } = rows[0]!;
  await db.query(`insert into object (${columns}) select ${values(serial)}`);
  await db.query('update object set revision = revision + 1 where source_id = 1 and type = $1 and key = $2', [
    typeCodes.mntner,
    `up${(serial % count) + 9}-mnt`,
  ]);
  await db.query('commit');
  const stored = await db.query('select text from object where source_id = 1 and type = $1 and key = $2', [
    typeCodes.person,
    keyOf(serial),
  ]);
  expect(stored.rowCount).toBe(1);
  return serial;
}

/** Writes until it is stopped. Rejects when a statement fails. */
function startWriter() {
  const serials: number[] = [];
  let longestMs = 0;
  let running = true;
  const done = withClient(async (db) => {
    await db.query(`set lock_timeout = '${lockTimeout}'`);
    while (running) {
      const begun = performance.now();
      serials.push(await write(db));
      longestMs = Math.max(longestMs, performance.now() - begun);
    }
  });
  done.catch(() => {});
  return {
    written: () => serials.length,
    async stop() {
      running = false;
      await done;
      return { serials, longestMs };
    },
  };
}

test(`${count.toLocaleString('en')} objects of the release get the newest schema while others write`, {
  timeout: timeoutMs,
}, async () => {
  const writers = [startWriter(), startWriter()];
  await expect.poll(() => writers.every(({ written }) => written() > 0)).toBe(true);
  const begun = performance.now();
  await migrateObjects({ url: database.url, logger: testLogger() });
  const tookMs = performance.now() - begun;
  const reached = writers.map(({ written }) => written());
  await expect.poll(() => writers.every(({ written }, at) => written() > reached[at]!)).toBe(true);
  const results = await Promise.all(writers.map((writer) => writer.stop()));
  const longestMs = Math.max(...results.map((result) => result.longestMs));
  console.info(`upgrade of ${count} objects: ${tookMs.toFixed()} ms; the longest write took ${longestMs.toFixed()} ms`);

  const { context, close } = await createContext({
    databaseUrl: database.url,
    source: 'TEST',
    grsSources: [],
    readConnections: 2,
    writeConnections: 2,
    publicCallers: [],
    accounts: { resolve: async () => new Map(), resolveSubjects: async () => new Map() },
    policy: defaultPolicy,
    clock: () => new Date(),
    logger: testLogger(),
  });
  const keys = results.flatMap(({ serials }) => serials.map(keyOf));
  const lookups = [...keys.map((key) => ({ type: 'person', key })), { type: 'mntner', key: 'UP10-MNT' }].map((id) => ({
    key: { source: 'TEST', ...id },
    view: View.VIEW_COMPLETE,
    withContacts: false,
  }));
  const { answers } = await readerOf(context).batchLookup({ lookups: lookups.slice(-1_000) });
  expect(answers.filter(({ status }) => status !== LookupStatus.LOOKUP_STATUS_FOUND)).toEqual([]);
  await close();
  const invalid = await withClient((db) => db.query('select from pg_index where not indisvalid'));
  expect(invalid.rowCount).toBe(0);
});
