import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { RunningSystem } from '../harness/run-system.js';
import { attributesOf, json } from '../price/documents.js';
import { dsaKeyCert } from '../price/hostile-keys.js';

const program = fileURLToPath(new URL('attacks.ts', import.meta.url));
const longestSeconds = 60;

/** A running hostile client. */
export interface Attacker {
  /** Stops it. Returns the number of responses by attack and status. */
  stop(): Promise<Record<string, Record<string, number>>>;
}

/** Starts a client without credentials, with its own process and address, and waits until it has begun. */
export async function startAttacker(system: RunningSystem): Promise<Attacker> {
  const orders = {
    httpsPort: Number(new URL(system.https).port),
    httpPort: Number(new URL(system.http).port),
    localAddress: '127.0.0.2',
    keyCert: json(attributesOf(dsaKeyCert({ bits: 16_384, order: 16_384, userIds: 2, subkeys: 1 }))),
    longestSeconds,
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
