import { type ChildProcess, spawn } from 'node:child_process';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { readSettings, withParent } from '@cadastre/service';
import type { RunFile } from './run-file.js';
import { checkout, dataPaths, runSettings } from './run-settings.js';
import { untilSearchable } from './until-searchable.js';

/** A whole registry in processes of its own, as `make run` starts it. */
export interface Registry {
  /** Its supervisor, the parent of all its processes. */
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
  /** Waits until searches find the changes of a source up to a serial. Returns false after the timeout. */
  untilSearchable(source: string, serial: bigint, timeoutMs: number): Promise<boolean>;
  /** Stops everything and preserves the data. */
  end(): Promise<void>;
  /** Restarts everything with the same data and more settings. */
  restart(more: Readonly<Record<string, string>>): Promise<Registry>;
  /** Stops everything and removes the data. */
  stop(): Promise<void>;
}

export interface RegistryOptions {
  /** Directory of its data. */
  readonly directory: string;
  /** Settings of `make run` and of the services, over those of this program's environment. */
  readonly settings?: Readonly<Record<string, string | undefined>>;
  /** The built checkout; default: this one. */
  readonly code?: string;
  /** Called with each line that it prints after it is ready. */
  readonly say: (line: string) => void;
  /** Registers a function that stops the registry, whether it is ready or not. */
  readonly onEnd: (stop: () => Promise<unknown>) => void;
}

/** Starts a registry on free ports and waits until it is ready. It ends with this process in any case. */
export async function startRegistry(options: RegistryOptions): Promise<Registry> {
  const { directory, say, settings = {}, code = checkout, onEnd } = options;
  const env = {
    ...process.env,
    ...settings,
    CADASTRE_DATA_DIR: directory,
    CADASTRE_HTTP_PORT: '0',
    CADASTRE_HTTPS_PORT: '0',
    CADASTRE_CERT_PORT: '0',
    CADASTRE_WHOIS_PORT: '0',
  };
  const start = performance.now();
  const supervisor = join(code, 'libs/system/dist/run.js');
  // Detached: Ctrl-C reaches only this process, which then stops the registry in order.
  const child = spawn(process.execPath, [supervisor, withParent], {
    env,
    stdio: ['pipe', 'pipe', 'inherit'],
    detached: true,
  });
  const endAll = () => end(child);
  const restart = async (more: Readonly<Record<string, string>>) => {
    await endAll();
    return startRegistry({ ...options, settings: { ...settings, ...more } });
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
  return {
    ...known,
    untilSearchable: (source, serial, timeoutMs) => untilSearchable(addresses.search, source, serial, timeoutMs),
    end: endAll,
    restart,
    stop,
  };
}

/** Passes later output on. */
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
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  await ended;
}
