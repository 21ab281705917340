import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { RunningSystem } from '../harness/run-system.js';
import { poison } from '../price/poison.js';
import { loadBalancer } from './load-balancer.js';

const program = fileURLToPath(new URL('ways.ts', import.meta.url));

/** Concurrent clients that attack. */
export interface Attack {
  /** Stops them. Returns the number of outcomes by way. */
  stop(): Promise<Record<string, Record<string, number>>>;
}

interface AttackOptions {
  /** Names of the ways (see ways.ts). */
  readonly ways: readonly string[];
  readonly clients: readonly string[];
  /** Concurrent requests of a client. */
  readonly atOnce?: number;
  readonly pauseMs?: number;
}

/** Starts clients without credentials in a process of their own, and waits until they have begun. */
export async function startAttack(
  system: RunningSystem,
  { ways, clients, atOnce = 3, pauseMs = 50 }: AttackOptions,
): Promise<Attack> {
  const orders = {
    httpsPort: Number(new URL(system.https).port),
    whoisPort: Number(new URL(`tcp://${system.whois}`).port),
    from: loadBalancer,
    clients,
    ways,
    atOnce,
    pauseMs,
    set: poison.set,
    person: poison.person,
  };
  const child = spawn(process.execPath, [program, JSON.stringify(orders)], { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  await lines.next();
  return {
    stop: async () => {
      child.stdin.end();
      return JSON.parse((await lines.next()).value ?? '');
    },
  };
}
