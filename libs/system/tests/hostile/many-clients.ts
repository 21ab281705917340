import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import type { RunningSystem } from '../harness/run-system.js';
import { poison } from '../price/poison.js';

const program = fileURLToPath(new URL('ways.ts', import.meta.url));

/** The load balancer that names the clients. Give its settings to the system. */
export const loadBalancer = '127.0.0.2';
export const loadBalancerSettings = {
  CADASTRE_GATEWAY_PROXY_PROTOCOL_FROM: loadBalancer,
  CADASTRE_WHOIS_PROXY_PROTOCOL_FROM: loadBalancer,
};

/** Clients that attack at once. */
export interface Attack {
  /** Stops them. Returns the number of outcomes by way. */
  stop(): Promise<Record<string, Record<string, number>>>;
}

interface AttackOptions {
  /** Names of the ways (see ways.ts). */
  readonly ways: readonly string[];
  readonly clients: readonly string[];
  /** Requests of a client at once. */
  readonly atOnce?: number;
  readonly pauseMs?: number;
}

/** One address of each of so many prefixes /48. */
export function addressesOfPrefixes(count: number): string[] {
  return Array.from({ length: count }, (_, n) => `2001:db8:${(n + 0x100).toString(16)}::1`);
}

/** Starts clients without credentials in a process of their own. */
export function startAttack(system: RunningSystem, { ways, clients, atOnce = 3, pauseMs = 50 }: AttackOptions): Attack {
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
  const output = text(child.stdout);
  return {
    stop: async () => {
      child.stdin.end();
      return JSON.parse(await output);
    },
  };
}
