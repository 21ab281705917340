import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { reservePort } from '@cadastre/service';

export interface BenchRedis {
  readonly url: string;
  stop(): Promise<void>;
}

const program = 'redis-server';

/** Starts the local Redis on a free port without persistence; `undefined` when it is not installed. */
export async function startBenchRedis(): Promise<BenchRedis | undefined> {
  if (spawnSync(program, ['--version']).status !== 0) return undefined;
  const port = await reservePort();
  const options = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
  const child = spawn(program, options, { stdio: ['ignore', 'pipe', 'inherit'] });
  for await (const line of createInterface({ input: child.stdout })) {
    if (line.includes('Ready to accept connections')) break;
  }
  child.stdout.resume();
  return {
    url: `redis://127.0.0.1:${port}`,
    async stop() {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    },
  };
}
