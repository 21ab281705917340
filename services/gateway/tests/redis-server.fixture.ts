import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { reservePort } from '@cadastre/service';

/** A Redis of the test, which the test may stop and restart. */
export interface RedisServer {
  readonly url: string;
  /** Kills it; its data is lost. */
  kill(): Promise<void>;
  /** Starts it on the same port, empty. */
  start(): Promise<void>;
  /** Makes it hang, or continue. */
  signal(name: 'SIGSTOP' | 'SIGCONT'): void;
  remove(): Promise<void>;
}

const program = 'redis-server';
const givenUrl = process.env.CADASTRE_TEST_REDIS_URL;

/** Whether there is a Redis that tests may stop: a program of this machine. */
export function hasOwnRedis(): boolean {
  return spawnSync(program, ['--version']).status === 0;
}

/**
 * Whether there is a Redis to test with: that of CADASTRE_TEST_REDIS_URL, or one of this machine. Without it the tests
 * are skipped with one loud line; with CI=true they fail.
 */
export function hasRedis(): boolean {
  const found = givenUrl !== undefined || hasOwnRedis();
  if (!found && process.env.CI === 'true') throw new Error(`${program} is missing, and with CI=true it must not be`);
  if (!found) console.warn(`\n*** ${program} IS MISSING: THE TESTS OF SHARED QUERY LIMITS ARE SKIPPED ***\n`);
  return found;
}

/** Starts a Redis on a free port of the loopback interface; where there is none, uses the configured one. */
export async function startRedis(): Promise<RedisServer> {
  if (givenUrl !== undefined && !hasOwnRedis()) return { url: givenUrl, ...untouchable };
  const directory = await mkdtemp(join(tmpdir(), 'cadastre-redis-'));
  const port = await reservePort();
  let child: ChildProcess | undefined;
  const start = async () => {
    const options = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
    child = await runRedis([...options, '--dir', directory], 'Ready to accept connections');
  };
  const kill = async () => {
    if (child !== undefined) await killRedis(child);
  };
  await start();
  return {
    url: `redis://127.0.0.1:${port}`,
    kill,
    start,
    signal: (name) => void child?.kill(name),
    async remove() {
      await kill();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** Runs redis-server until it logs a text. */
export async function runRedis(args: readonly string[], untilLogged: string): Promise<ChildProcess> {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  for await (const line of createInterface({ input: child.stdout })) {
    if (line.includes(untilLogged)) break;
  }
  child.stdout.resume();
  return child;
}

/** Kills a process, even one that hangs. */
export async function killRedis(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
}

const refuse = () => {
  throw new Error('This Redis is not ours to stop');
};
const untouchable = { kill: refuse, start: refuse, signal: refuse, remove: async () => {} };
