import { once } from 'node:events';
import tls from 'node:tls';
import { getAs } from '../hostile/client-at.js';
import { addressesOfPrefixes } from '../hostile/load-balancer.js';
import { type Requested, whoisBytes } from './asked.js';
import { repeated } from './documents.js';
import type { Budget, Row } from './row.js';
import type { Received } from './send.js';

/** For one of several concurrent requests, connection included: independent of their number, which `held` is not. */
const oneOf = (requests: number): Budget => ({ held: 40 + requests, spent: 10 });

const tooManyParameters = `?${repeated('a=1&', 1_000)}`;

/** Handshakes that begin together. One takes a millisecond or two; together they must not hold the gateway. */
const handshakes = 200;

/**
 * One cheap and one refused request of each client, all concurrent. Each client has a prefix of its own, so no limit
 * counts two of them together: their effect on each other shows in the price of one.
 */
export function prefixRows(): Row[] {
  const begun = Array.from({ length: handshakes }, (_, n) => handshake(n));
  return [row('TLS', `${handshakes} handshakes`, { held: 60, spent: 10 }, () => atOnce(begun)), ...ofPrefixes()];
}

function ofPrefixes(): Row[] {
  return [20, 256].flatMap((count) => {
    const clients = addressesOfPrefixes(count);
    const budget = oneOf(2 * count);
    const rest = (client: string) => [
      lookup(client, '/TEST/mntner/EXAMPLE-MNT', 200),
      lookup(client, `/TEST/mntner/EXAMPLE-MNT${tooManyParameters}`, 400),
    ];
    const port43 = (client: string) =>
      ['-r -T mntner EXAMPLE-MNT', '-i nothing EXAMPLE-MNT'].map((text) => whoisBytes(text, `${text}\n`, client));
    return [
      row(`${count} prefixes`, 'a lookup and a refusal of each', budget, () => atOnce(clients.flatMap(rest))),
      row(`port 43, ${count} prefixes`, 'a query and a refusal of each', budget, () => atOnce(clients.flatMap(port43))),
    ];
  });
}

function handshake(n: number): Requested {
  return {
    name: `handshake ${n}`,
    async ask({ https }) {
      const { hostname: host, port } = new URL(https);
      const socket = tls.connect({ host, port: Number(port), rejectUnauthorized: false });
      await once(socket, 'secureConnect');
      socket.destroy();
      return { status: 200, bytes: 0 };
    },
  };
}

function lookup(client: string, path: string, expected: number): Requested {
  return {
    name: `${path.slice(0, 60)} of ${client}`,
    async ask(system) {
      const { status, text } = await getAs(system, client, path);
      if (status !== expected) throw new Error(`status ${status} to ${path.slice(0, 60)}`);
      return { status, bytes: text.length };
    },
  };
}

/** The first request sends all. */
function atOnce(all: readonly Requested[]): Requested[] {
  let answers: Promise<Received[]> | undefined;
  return all.map(({ name }, at) => ({
    name,
    async ask(system) {
      answers ??= Promise.all(all.map((each) => each.ask(system)));
      return (await answers)[at]!;
    },
  }));
}

function row(operation: string, what: string, budget: Budget, sends: Row['sends']): Row {
  return { operation, what, outcome: 'answered', budget, sender: 'anonymous', sends };
}
