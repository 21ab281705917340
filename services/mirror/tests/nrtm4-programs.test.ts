import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { promisify } from 'node:util';
import { openDatabase } from '@cadastre/service';
import { emptyTestDatabase } from '@cadastre/service/testing';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { folderStore } from '../src/files/folder.js';
import { isWithout, mirrorFile } from './mirror-programs.fixture.js';
import { keysOf, mntner, newKey, route, type Trial, useTrials } from './publishing.fixture.js';

// Programs of others read our publication over HTTP: nrtm4-validator (crates.io) validates it, nrtm4client maintains a
// copy.
const run = promisify(execFile);
const hourMs = 60 * 60_000;
const newTrial = useTrials();
let server: Server;
let folder = '';

beforeAll(async () => {
  server = createServer(async ({ url = '' }, response) => {
    const content = await folderStore(folder).get(url.slice(1), 1 << 24);
    response.writeHead(content === undefined ? 404 : 200).end(content);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});

afterAll(() => {
  server.close();
});

function notificationUrl({ registry }: Trial): string {
  const { port } = server.address() as AddressInfo;
  return `http://127.0.0.1:${port}/nrtmv4/${registry.source}/update-notification-file.jose`;
}

/** Exit code and output of the validator for a public key. */
async function judge(trial: Trial, publicKey: string) {
  const args = [notificationUrl(trial), trial.registry.source, publicKey];
  try {
    const { stdout } = await run(mirrorFile('bin', 'nrtm4-validator'), args);
    return { code: 0, output: stdout };
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
    return { code, output: stdout + stderr };
  }
}

const valid = { code: 0, output: expect.stringContaining('NRTMv4 syntax is valid') };

test.skipIf(isWithout('nrtm4-validator'))('nrtm4-validator accepts a life of a publication (M1)', async () => {
  const trial = await newTrial();
  const { registry, clock } = trial;
  const { source } = registry;
  folder = trial.folder;
  const { privateKey, publicKey } = trial.keys();
  await trial.round();
  expect(await judge(trial, publicKey), 'start').toEqual(valid);
  registry.put(mntner(source));
  await trial.round();
  expect(await judge(trial, publicKey), 'one change').toEqual(valid);
  for (const delta of [0, 1, 2, 3, 4]) {
    for (const n of Array(20).keys()) registry.put(route(source, 20 * delta + n));
    registry.remove('route', `198.51.${20 * delta}.0/24AS64500`);
    await trial.round();
  }
  expect(await judge(trial, publicKey), 'five deltas').toEqual(valid);
  clock.advance(24 * hourMs);
  expect(await trial.snapshot()).toBe(true);
  expect(await judge(trial, publicKey), 'a snapshot').toEqual(valid);
  const next = newKey();
  trial.use(keysOf(privateKey, next));
  await trial.round();
  expect(await judge(trial, publicKey), 'a key that is announced').toEqual(valid);
  trial.use(keysOf(next));
  await trial.round();
  expect(await judge(trial, keysOf(next).publicKey), 'another key').toEqual(valid);
  expect((await judge(trial, publicKey)).code, 'the former key').toBe(1);
});

/** A copy of nrtm4client in a database of its own. */
async function createCopy(trial: Trial) {
  const database = await emptyTestDatabase();
  const pool = openDatabase(database.url).createPool({ max: 1, applicationName: 'test', statementTimeoutMs: 60_000 });
  onTestFinished(async () => {
    await pool.end();
    await database.drop();
  });
  const schema = mirrorFile('nrtm4tools', 'deployments', 'docker', 'initdb.d', 'nrtm4_schema.sql');
  const client = await pool.connect();
  await client.query(await readFile(schema, 'utf8'));
  // The trigger stores the history, and returns null for deletions, so that PostgreSQL deletes nothing.
  await client.query('drop trigger modify_rpsl_trigger on public.nrtm_rpslobject');
  // The schema changes settings of its session.
  client.release(true);
  const env = { PG_DATABASE_URL: database.url, NRTM4_FILE_PATH: path.join(trial.folder, 'fetched') };
  const nrtm4client = (...args: string[]) => run(mirrorFile('bin', 'nrtm4client'), args, { env });
  return {
    connect: () => nrtm4client('connect', '-url', notificationUrl(trial)),
    update: () => nrtm4client('update', '-source', trial.registry.source),
    async objects() {
      const { rows } = await pool.query<{ rpsl: string }>('select rpsl from nrtm_rpslobject');
      return rows.map(({ rpsl }) => rpsl).sort();
    },
  };
}

test.skipIf(isWithout('nrtm4client'))('nrtm4client has the objects that we publish (M3)', async () => {
  const trial = await newTrial();
  const { registry, clock, follower } = trial;
  const { source } = registry;
  folder = trial.folder;
  const copy = await createCopy(trial);
  const expectEqual = async () => {
    await follower.update();
    expect(await copy.objects()).toEqual(follower.objects());
  };
  registry.put([mntner(source), route(source, 1), route(source, 2)].join('\n\n'));
  await trial.round();
  registry.put(route(source, 3));
  await trial.round();
  await copy.connect();
  await expectEqual();
  expect(await copy.objects()).toHaveLength(4);

  registry.put(route(source, 2, 'remarks:        changed\n'));
  registry.remove('route', '198.51.1.0/24AS64500');
  registry.put(route(source, 4));
  registry.remove('route', '198.51.4.0/24AS64500');
  await trial.round();
  registry.put(route(source, 4));
  await trial.round();
  await copy.update();
  await expectEqual();

  clock.advance(24 * hourMs);
  expect(await trial.snapshot()).toBe(true);
  registry.remove('route', '198.51.3.0/24AS64500');
  await trial.round();
  await copy.update();
  await expectEqual();
  expect(await copy.objects()).toHaveLength(3);
});
