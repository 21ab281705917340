import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { copyFile, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { withParent } from '@cadastre/service';
import { inject } from 'vitest';
import type { RunFile } from '../../src/run-file.js';
import type { ProgramName } from '../../src/run-settings.js';
import type { TrialKey } from '../../src/trial-key.js';

const supervisor = fileURLToPath(new URL('../../dist/run.js', import.meta.url));
const readyTimeoutMs = 180_000;

/** Applies the default limits to clients on this machine, for which `make run` raises them. */
export const defaultLimits = {
  CADASTRE_LIMITS: '',
  CADASTRE_UNLIMITED_NETWORKS: '',
};

/** All services in one process, for tests that end, limit and measure none. Starts in half the time. */
export const inOneProcess = { CADASTRE_RUN_PROCESSES: 'one' };

/** All services in one process but these, which a test kills or inspects. */
export const apart = (...programs: ProgramName[]) => ({
  ...inOneProcess,
  CADASTRE_NODE_FLAGS: programs.map((name) => `${name}=--no-warnings`).join(','),
});

/** The real system, each service in a process of its own unless the settings say otherwise. */
export interface RunningSystem extends RunFile {
  dataDirectory: string;
  /** The content of the certificate file. */
  certificateText: string;
  /** alice@example.net, who maintains EXAMPLE-MNT. */
  credential: string;
  /** Its output so far. */
  output(): string;
  /** Stops reading its output, as a pager does that is closed. */
  closeOutput(): void;
  /** Resolves with the exit code, or the signal that ended it. */
  exited: Promise<number | string>;
  signal(name: NodeJS.Signals): void;
  /** Stops it gracefully; keeps the data. */
  stop(): Promise<void>;
}

/** The parts of a shared system that tests need. */
export type SharedSystem = Omit<RunningSystem, 'output' | 'closeOutput' | 'exited' | 'signal' | 'stop'> & {
  /** Its output until it was ready. */
  said: string;
};

/** Starts the supervisor and waits for its line "Cadastre is ready". Rejects with its output when it ends earlier. */
export async function runSystem(dataDirectory: string, env: Record<string, string> = {}): Promise<RunningSystem> {
  const started = startSupervisor(dataDirectory, env);
  await untilReady(started);
  const run = JSON.parse(await readFile(join(dataDirectory, 'run.json'), 'utf8')) as RunFile;
  const key = JSON.parse(await readFile(join(dataDirectory, 'api-key.json'), 'utf8')) as TrialKey;
  return {
    ...run,
    dataDirectory,
    certificateText: await readFile(run.certificate, 'utf8'),
    credential: key.credential,
    output: started.output,
    closeOutput: () => {
      started.child.stdout?.destroy();
      started.child.stderr?.destroy();
    },
    exited: started.exited,
    signal: (name) => void started.child.kill(name),
    stop: async () => {
      started.child.kill('SIGTERM');
      await started.exited;
    },
  };
}

/** A supervisor that may not become ready. */
export interface StartedSupervisor {
  child: ChildProcess;
  output(): string;
  exited: Promise<number | string>;
}

/** On a busy machine the gateway refuses what is too much, not what is slow; tests of overload have settings of their own. */
const longTimeouts = {
  CADASTRE_GATEWAY_EVENT_LOOP_DELAY: '60s',
  CADASTRE_GATEWAY_DEADLINES: 'read=20s write=30s search=60s',
};

/** Starts the supervisor on free ports. It ends with this process in any case. */
export function startSupervisor(
  dataDirectory: string,
  env: Record<string, string> = {},
  command: string[] = [process.execPath, supervisor],
): StartedSupervisor {
  if (!existsSync(supervisor)) throw new Error('The end-to-end tests need a build: run make build');
  const child = spawn(command[0]!, [...command.slice(1), withParent], {
    env: {
      PATH: process.env.PATH,
      CADASTRE_DATA_DIR: dataDirectory,
      CADASTRE_HTTP_PORT: '0',
      CADASTRE_HTTPS_PORT: '0',
      CADASTRE_CERT_PORT: '0',
      CADASTRE_WHOIS_PORT: '0',
      CADASTRE_RUN_PROCESSES: 'each',
      ...longTimeouts,
      ...env,
    },
    stdio: ['pipe', 'pipe', 'pipe'],
    detached: true,
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (output += chunk));
  const exited = new Promise<number | string>((resolve) => {
    child.once('close', (code, signal) => resolve(code ?? signal ?? 'unknown'));
  });
  return { child, output: () => output, exited };
}

/** The command that runs the supervisor as another user. */
export function asUser(uid: number): string[] {
  return ['setpriv', `--reuid=${uid}`, `--regid=${uid}`, '--clear-groups', process.execPath, supervisor];
}

/** Waits for the line "Cadastre is ready". */
export async function untilReady(started: StartedSupervisor): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const timer = setTimeout(() => reject(new Error(`not ready in time:\n${started.output()}`)), readyTimeoutMs);
  const look = (): void => {
    if (started.output().includes('Cadastre is ready\n')) resolve();
  };
  started.child.stdout?.on('data', look);
  void started.exited.then((how) => reject(new Error(`ended (${how}) before it was ready:\n${started.output()}`)));
  await promise.finally(() => clearTimeout(timer));
  started.child.stdout?.off('data', look);
}

interface DataDirectory {
  readonly directory: string;
  /** Keeps its logs for the scan at the end of the run. */
  remove(): Promise<void>;
}

/** A new data directory for one system, with accounts and a migrated database without objects. */
export async function freshDirectory(): Promise<DataDirectory> {
  const data = await emptyDirectory();
  await copyPreparedData(data.directory);
  return data;
}

/** Copies a data directory that has not been used; its PostgreSQL belongs to the user who runs it. */
export async function copyPreparedData(directory: string): Promise<void> {
  await promisify(execFile)('cp', ['--archive', `${inject('preparedData')}/.`, directory]);
}

/** A new data directory for one system, with nothing in it; copies the logs to `testLogs` at the end. */
export async function emptyDirectory(testLogs = inject('testLogs')): Promise<DataDirectory> {
  const directory = await mkdtemp(join(tmpdir(), 'cadastre-e2e-'));
  return {
    directory,
    remove: async () => {
      await keepLogs(directory, testLogs);
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** Keeps the logs of a system for the scan at the end of the run. */
async function keepLogs(directory: string, testLogs: string): Promise<void> {
  const logs = join(directory, 'logs');
  const stored = join(testLogs, 'logs');
  for (const name of existsSync(logs) ? await readdir(logs) : []) {
    await copyFile(join(logs, name), join(stored, `${basename(directory)}-${name}`));
  }
}
