import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createMetrics } from '@cadastre/service';
import { isInstalled, isSkipped, testLogger } from '@cadastre/service/testing';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createContext } from '../src/context.js';
import { defaultPolicy } from '../src/domain/policy.js';
import { migrateObjects } from '../src/migrate.js';
import { feedOf, lookup, person, put } from './test-context.js';

vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

const drill = fileURLToPath(new URL('../../../deploy/helm/cadastre/drill/restore-drill.sh', import.meta.url));

/** The programs of Debian's newest PostgreSQL: pgBackRest and the embedded server may not know each other. */
const versions = existsSync('/usr/lib/postgresql') ? readdirSync('/usr/lib/postgresql').sort((a, b) => +b - +a) : [];
const programs = `/usr/lib/postgresql/${versions[0]}/bin`;
const missing = [
  ...(versions.length > 0 ? [] : ['/usr/lib/postgresql']),
  ...(isInstalled('pgbackrest') ? [] : ['pgbackrest']),
];

describe.skipIf(isSkipped('backup and restore', missing))('backup and restore', () => {
  let directory: string;
  const stops: (() => Promise<void>)[] = [];

  const env = () => ({
    PATH: `${programs}:${process.env.PATH}`,
    PGBACKREST_CONFIG: path.join(directory, 'pgbackrest.conf'),
    PGBACKREST_STANZA: 'main',
  });
  /** PostgreSQL does not run as root. */
  const asPostgres =
    process.getuid?.() === 0 ? ['setpriv', '--reuid=postgres', '--regid=postgres', '--init-groups'] : [];

  function run(command: string[], more: Record<string, string> = {}): Promise<string> {
    const [file, ...args] = [...asPostgres, ...command];
    return promisify(execFile)(file!, args, { cwd: directory, env: { ...env(), ...more } }).then(
      ({ stdout }) => stdout,
      ({ stdout, stderr }) => Promise.reject(new Error(`${command[0]}: ${stdout}${stderr}`)),
    );
  }

  /** Starts a server on the data; resolves with the URL of the registry's database when it accepts writes. */
  async function startServer(name: string, settings: string[]): Promise<string> {
    const socket = path.join(directory, `${name}-socket`);
    await run(['mkdir', socket]);
    const flags = ['listen_addresses=', `unix_socket_directories=${socket}`, 'hot_standby=off', ...settings];
    const args = ['-D', path.join(directory, name), ...flags.flatMap((flag) => ['-c', flag])];
    const [file, ...rest] = [...asPostgres, 'postgres', ...args];
    const child: ChildProcess = spawn(file!, rest, { cwd: directory, env: env(), stdio: ['ignore', 'ignore', 'pipe'] });
    const exited = once(child, 'exit');
    stops.push(async () => {
      child.kill('SIGINT');
      await exited;
    });
    let said = '';
    for await (const chunk of child.stderr!) {
      said += chunk;
      if (said.includes('ready to accept connections')) break;
    }
    if (!said.includes('ready to accept connections')) throw new Error(said);
    child.stderr!.resume();
    return `postgres://postgres@localhost/registry?host=${encodeURIComponent(socket)}`;
  }

  async function open(databaseUrl: string, clock = () => new Date()) {
    const metrics = createMetrics('objects');
    const { context, close } = await createContext({
      databaseUrl,
      source: 'TEST',
      grsSources: [],
      readConnections: 2,
      writeConnections: 2,
      publicCallers: [],
      accounts: { resolve: async () => new Map(), resolveSubjects: async () => new Map() },
      policy: defaultPolicy,
      clock,
      logger: testLogger(),
      metrics,
    });
    stops.push(close);
    return { context, metrics };
  }

  const startDrill = (liveUrl: string, lag = 3600) =>
    run([drill], {
      DRILL_DIRECTORY: path.join(directory, 'drill'),
      DRILL_STANZA: 'main',
      DRILL_DATABASE: 'registry',
      DRILL_LIVE_URL: liveUrl,
      DRILL_MAXIMAL_LAG: String(lag),
    });

  let runningUrl: string;
  let running: Awaited<ReturnType<typeof open>>['context'];
  let restoredUrl: string;
  /** The newest change that the restore keeps, and one that it loses. */
  let stored: bigint;
  let lost: { serial: bigint; instant: Date };

  beforeAll(async () => {
    directory = await mkdtemp(path.join(tmpdir(), 'cadastre-restore-'));
    if (asPostgres.length > 0) await promisify(execFile)('chown', ['postgres', directory]);
    const data = path.join(directory, 'data');
    await writeFile(
      path.join(directory, 'pgbackrest.conf'),
      [
        '[global]',
        ...['repo1', 'log', 'lock', 'spool'].map((name) => `${name}-path=${directory}/${name}`),
        'start-fast=y',
        'log-level-console=warn',
        'log-level-file=off',
        '[main]',
        `pg1-path=${data}`,
        `pg1-socket-path=${directory}/data-socket`,
        'pg1-user=postgres',
      ].join('\n'),
    );
    await run(['initdb', '-D', data, '-U', 'postgres', '--auth=trust', '--no-sync', '--encoding=UTF8', '--locale=C']);
    const archive = `archive_command=pgbackrest --config=${directory}/pgbackrest.conf --stanza=main archive-push %p`;
    runningUrl = await startServer('data', ['fsync=off', 'archive_mode=on', archive]);
    await run(['pgbackrest', 'stanza-create']);
    await run(['createdb', '-h', `${directory}/data-socket`, '-U', 'postgres', 'registry']);
    await migrateObjects({ url: runningUrl, logger: testLogger() });
    const opened = await open(runningUrl);
    running = opened.context;
    await put(running, person('BA1-TEST'));
    await run(['pgbackrest', 'backup', '--type=full']);
    stored = await put(running, person('BA2-TEST'));
    const target = (await running.readPool.query('select clock_timestamp()::text as now')).rows[0].now as string;
    const serial = await put(running, person('LO1-TEST'));
    const { rows } = await running.readPool.query('select instant from change where serial = $1', [serial]);
    lost = { serial, instant: rows[0].instant };
    await run(['pgbackrest', 'check']); // Archives the current WAL.

    const restored = path.join(directory, 'restored');
    await run(['mkdir', '-m', '700', restored, path.join(directory, 'drill')]);
    const info = JSON.parse(await run(['pgbackrest', 'info', '--output=json']));
    // By itself pgBackRest takes no backup that ended in the same second.
    const set = `--set=${info[0].backup[0].label}`;
    const options = [set, '--archive-mode=off', '--type=time', `--target=${target}`, '--target-action=promote'];
    await run(['pgbackrest', `--pg1-path=${restored}`, ...options, 'restore']);
    restoredUrl = await startServer('restored', []);
  });
  afterAll(async () => {
    for (const stop of stops.reverse()) await stop();
    await rm(directory, { recursive: true, force: true });
  });

  test('WAL is archived', async () => {
    const { metrics } = await open(runningUrl);
    await expect.poll(() => metrics.metrics()).toMatch(/^cadastre_wal_archive_failing\{.*\} 0$/m);
  });

  test('the drill restores the newest state and compares it with the running registry', async () => {
    expect(await startDrill(runningUrl)).toMatch(
      /3 objects, \d+ bytes[\s\S]*TEST has serial 3[\s\S]*the backup is complete/,
    );
  });

  test('a restore to a point in time has what was written before, and nothing later', async () => {
    const { context } = await open(restoredUrl);
    expect(await lookup(context, 'person', 'BA2-TEST')).toMatchObject({ serial: stored });
    expect(await lookup(context, 'person', 'LO1-TEST')).toBeUndefined();
  });

  test('a follower that is ahead of the restored registry, or was, has to begin anew', async () => {
    const { context } = await open(restoredUrl);
    const follow = async () => {
      const request = { source: 'TEST', keysOnly: true, fromNow: false, latestOnly: true };
      const position = { afterSerial: lost.serial, afterInstant: lost.instant };
      for await (const _ of feedOf(context).watch({ ...request, ...position }, { deadlineMs: 60_000 })) return;
    };
    const beginAnew = (reason: string) => ({ kind: 'out-of-range', message: expect.stringContaining(reason) });
    await expect(follow()).rejects.toMatchObject(beginAnew('The newest serial is 2'));
    for (const handle of ['NE1-TEST', 'NE2-TEST']) await put(context, person(handle));
    await expect(follow()).rejects.toMatchObject(beginAnew('The registry was restored to a state before this serial'));
  });

  test('the drill fails when the backup is of another history', async () => {
    await expect(startDrill(restoredUrl)).rejects.toThrow(
      'TEST: the running registry has another change with serial 3',
    );
  });

  test('the drill fails when the running registry has other objects', async () => {
    await running.writePool.query("update object set text = text || 'x' where key = 'ba1-test'");
    await expect(startDrill(runningUrl)).rejects.toThrow('TEST: number and checksum of unchanged objects are 3 ');
    await running.writePool.query("update object set text = left(text, -1) where key = 'ba1-test'");
  });

  test('the drill fails when the archive lacks changes that are not new', async () => {
    await put(running, person('AF1-TEST'));
    await expect(startDrill(runningUrl, 0)).rejects.toThrow('TEST: the backup lacks changes that are older than 0 s');
  });
});
