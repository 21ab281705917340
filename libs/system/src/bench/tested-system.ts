import { type ChildProcess, spawn } from 'node:child_process';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { readSettings } from '@cadastre/service';
import type { RunFile } from '../run-file.js';
import { checkout, dataPaths, runSettings } from '../run-settings.js';
import type { OnEnd } from './cleaning.js';

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
  CADASTRE_LIMITS_BYTES: unreached,
  CADASTRE_LIMITS_PROCESSING: unreached,
  CADASTRE_WHOIS_CONNECTIONS_PER_CLIENT: '0',
};

/** An address of this machine with limits. */
export const limitedAddress = '127.0.0.2';

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
  /** Private key that signs what it publishes for mirrors. */
  readonly mirrorKeyFile: string;
  /** Time from its start until it was ready. */
  readonly readySeconds: number;
  /** Stops everything and keeps the data. */
  end(): Promise<void>;
  /** Restarts everything with the same data and more settings. */
  restart(more: Readonly<Record<string, string>>): Promise<TestedSystem>;
  /** Stops everything and removes the data. */
  stop(): Promise<void>;
}

interface Options {
  /** Directory of its data. */
  readonly directory: string;
  readonly say: (line: string) => void;
  /** Further settings. */
  readonly settings?: Readonly<Record<string, string>>;
  /** The built checkout; default: this one. */
  readonly code?: string;
  /** Registers what stops the system, whether it is ready or not. */
  readonly onEnd: OnEnd;
}

/** Starts the system and waits until it is ready. */
export async function startTestedSystem(options: Options): Promise<TestedSystem> {
  const { directory, say, settings = {}, code = checkout, onEnd } = options;
  const env = {
    ...process.env,
    CADASTRE_SOURCE: undefined,
    CADASTRE_ENVIRONMENT: undefined,
    ...limitSettings,
    CADASTRE_RUN_PROCESSES: 'each',
    ...settings,
    CADASTRE_DATA_DIR: directory,
    CADASTRE_HTTP_PORT: '0',
    CADASTRE_HTTPS_PORT: '0',
    CADASTRE_CERT_PORT: '0',
    CADASTRE_WHOIS_PORT: '0',
    CADASTRE_PARENT_PIPE: '1',
  };
  const start = performance.now();
  const supervisor = join(code, 'libs/system/dist/run.js');
  // Detached: Ctrl-C reaches only this process, which then stops the system in order.
  const child = spawn(process.execPath, [supervisor], { env, stdio: ['pipe', 'pipe', 'inherit'], detached: true });
  const endAll = () => end(child);
  const restart = async (more: Readonly<Record<string, string>>) => {
    await endAll();
    return startTestedSystem({ ...options, settings: { ...settings, ...more } });
  };
  const stop = async () => {
    await endAll();
    await rm(directory, { recursive: true, force: true });
  };
  onEnd(stop);
  await ready(child, say);
  const readySeconds = (performance.now() - start) / 1000;
  const paths = dataPaths(readSettings(runSettings, env));
  const { credential } = JSON.parse(await readFile(paths.apiKey, 'utf8')) as { credential: string };
  const addresses = JSON.parse(await readFile(paths.runFile, 'utf8')) as RunFile;
  const databaseUrl = await superuserUrl(paths.database);
  const privateKeyFile = addresses.certificate.replace(/\.pem$/, '.key');
  const mirrorKeyFile = join(paths.mirrorKeys, 'signing-key.pem');
  const known = { pid: child.pid!, addresses, credential, databaseUrl, privateKeyFile, mirrorKeyFile, readySeconds };
  return { ...known, end: endAll, restart, stop };
}

/** Passes later output on: a restarted service spoils the figures. */
function ready(child: ChildProcess, say: (line: string) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const lines = createInterface({ input: child.stdout! });
    let isReady = false;
    lines.on('line', (line) => {
      if (isReady && !child.killed) say(line);
      if (!line.includes('Cadastre is ready')) return;
      isReady = true;
      resolve();
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
