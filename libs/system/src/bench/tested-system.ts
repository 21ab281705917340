import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { readSettings } from '@cadastre/service';
import type { RunFile } from '../run-file.js';
import { dataPaths, runSettings } from '../run-settings.js';

/** Addresses without limits. */
const exemptAddresses = '127.0.0.1/32,::1/128';
const unreached = '1000000000';

/**
 * No limit may end a run. Requests from any other address are counted without reaching a limit, which measures the cost
 * of counting.
 */
const limitSettings = {
  CADASTRE_LIMITS_EXEMPT: exemptAddresses,
  CADASTRE_LIMITS_PERSONAL_OBJECTS: unreached,
  CADASTRE_LIMITS_QUERIES: unreached,
  CADASTRE_LIMITS_SEARCHES: unreached,
  CADASTRE_LIMITS_UPDATES: unreached,
  CADASTRE_LIMITS_CONCURRENT_REQUESTS: unreached,
  CADASTRE_LIMITS_CONCURRENT_SEARCHES: unreached,
  CADASTRE_LIMITS_CONCURRENT_UPDATES: unreached,
  CADASTRE_LIMITS_SEARCH_OBJECTS: unreached,
};

/** An address of this machine with limits. */
export const limitedAddress = '127.0.0.2';

const supervisor = fileURLToPath(new URL('../run.js', import.meta.url));

/** The system as `make run` starts it, with its own empty data directory. */
export interface TestedSystem {
  readonly pid: number;
  readonly addresses: RunFile;
  /** Credential of an account that may change objects of EXAMPLE-MNT; for "Authorization: Basic". */
  readonly credential: string;
  /** Superuser URL of its PostgreSQL server, in the database of the services. */
  readonly databaseUrl: string;
  /** Key of the HTTPS certificate. */
  readonly privateKeyFile: string;
  /** Stops everything and keeps the data. */
  end(): Promise<void>;
  /** Restarts everything with the same data and more settings. */
  restart(more: Readonly<Record<string, string>>): Promise<TestedSystem>;
  /** Stops everything and removes the data. */
  stop(): Promise<void>;
}

/**
 * Starts the system and waits until it is ready. If it does not start, its data stay, because they include the logs.
 */
export async function startTestedSystem(
  say: (line: string) => void,
  settings: Readonly<Record<string, string>>,
): Promise<TestedSystem> {
  return startIn(await mkdtemp(join(tmpdir(), 'cadastre-bench-')), say, settings);
}

async function startIn(
  directory: string,
  say: (line: string) => void,
  more: Readonly<Record<string, string>>,
): Promise<TestedSystem> {
  const env = {
    ...process.env,
    ...limitSettings,
    ...more,
    CADASTRE_DATA_DIR: directory,
    CADASTRE_HTTP_PORT: '0',
    CADASTRE_HTTPS_PORT: '0',
    CADASTRE_CERT_PORT: '0',
    CADASTRE_PARENT_PIPE: '1',
  };
  const child = spawn(process.execPath, [supervisor], { env, stdio: ['pipe', 'pipe', 'inherit'] });
  const endAll = () => end(child);
  const restart = async (added: Readonly<Record<string, string>>) => {
    await endAll();
    return startIn(directory, say, { ...more, ...added });
  };
  const stop = async () => {
    await endAll();
    await rm(directory, { recursive: true, force: true });
  };
  await ready(child, say);
  try {
    const paths = dataPaths(readSettings(runSettings, env));
    const { credential } = JSON.parse(await readFile(paths.apiKey, 'utf8')) as { credential: string };
    const addresses = JSON.parse(await readFile(paths.runFile, 'utf8')) as RunFile;
    const databaseUrl = await superuserUrl(paths.database);
    const privateKeyFile = addresses.certificate.replace(/\.pem$/, '.key');
    return { pid: child.pid!, addresses, credential, databaseUrl, privateKeyFile, end: endAll, restart, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Passes later output on too: a restarted service spoils the figures. */
function ready(child: ChildProcess, say: (line: string) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const lines = createInterface({ input: child.stdout! });
    lines.on('line', (line) => {
      say(line);
      if (line.includes('Cadastre is ready')) resolve();
    });
    lines.once('close', () => reject(new Error('The system did not start')));
  });
}

/** postmaster.pid has the server's address: line 4 is the port, line 5 the directory of the socket. */
async function superuserUrl(dataDirectory: string): Promise<string> {
  const lines = (await readFile(join(dataDirectory, 'postmaster.pid'), 'utf8')).split('\n');
  const host = encodeURIComponent(lines[4] ?? '');
  return `postgres://postgres@localhost:${lines[3]}/cadastre?host=${host}`;
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) {
    return;
  }
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  await ended;
}
