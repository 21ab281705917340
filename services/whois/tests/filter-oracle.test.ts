import { execFile } from 'node:child_process';
import { isInstalled, isSkipped } from '@cadastre/service/testing';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { expectedAsNumbers, expectedPrefixes, readRegistry } from './filter-oracle.fixture.js';
import { randomRegistry } from './random-sets.fixture.js';
import { createRegistry } from './registry.fixture.js';
import { type RunningWhois, startWhois } from './whois.fixture.js';

// The filters that bgpq4 makes of our answers, beside those that independent code makes of the same dump.

const isMissing = isSkipped('filters beside an oracle', isInstalled('bgpq4') ? [] : ['bgpq4']);

const dump = randomRegistry(200);
const known = readRegistry(dump);
/** The sets that are asked for: every kind of them is among them. */
const { oracleSets } = inject('counts');
const names = known.names.filter((_, n) => n % Math.floor(known.names.length / oracleSets) === 0);
const asSets = names.filter((name) => !/\bRS-/.test(name));

let whois: RunningWhois;

beforeAll(async () => {
  const registry = createRegistry(['TEST']);
  registry.put(dump);
  whois = await startWhois(registry);
});
afterAll(() => whois.stop());

/** Several at a time: each takes a tenth of a second, most of which it waits. */
const lanes = 8;

/** The output of bgpq4 for each name, in their order. */
async function filtersOf(names: readonly string[], args: readonly string[]): Promise<string[]> {
  const outputs: string[] = [];
  const left = [...names.entries()];
  const work = async () => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) {
      outputs[next[0]] = await bgpq4([...args, next[1]]);
    }
  };
  await Promise.all(Array.from({ length: lanes }, work));
  return outputs;
}

function bgpq4(args: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile('bgpq4', ['-p', '-h', `127.0.0.1:${whois.port}`, '-l', 'EX', ...args], (error, stdout, stderr) => {
      // It says so of each range of the other family in a route-set.
      const said = stderr.replace(/^ERROR:Ignoring prefix \S+, wrong af \d+\n/gm, '');
      if (error !== null || said !== '') reject(new Error(`bgpq4 ${args.join(' ')}: ${said || error?.message}`));
      else resolve(stdout);
    });
  });
}

const lines = (prefixes: readonly string[]) => prefixes.map((prefix) => `${prefix}\n`).join('');

describe.skipIf(isMissing)('bgpq4 makes the filters that the dump has', () => {
  test('the sets are worth asking for', () => {
    expect(known.names.length).toBe(200);
    const sizes = known.names.map((name) => expectedPrefixes(known, name, 4).length);
    expect(sizes.filter((size) => size > 0).length).toBeGreaterThan(150);
    expect(sizes.filter((size) => size > 50).length).toBeGreaterThan(30);
  });

  test.each<[string, string[], (name: string) => readonly string[]]>([
    ['IPv4', ['-4'], (name) => expectedPrefixes(known, name, 4)],
    ['IPv6', ['-6'], (name) => expectedPrefixes(known, name, 6)],
    [
      'up to a length',
      ['-4', '-m', '22'],
      (name) => expectedPrefixes(known, name, 4).filter((prefix) => Number(prefix.split('/')[1]) <= 22),
    ],
  ])('%s, each byte', async (_what, args, expected) => {
    const made = await filtersOf(names, ['-F', '%n/%l\\n', ...args]);
    expect(made).toEqual(names.map((name) => lines(expected(name))));
  });

  test('level by level, each byte', async () => {
    const made = await filtersOf(asSets, ['-F', '%n/%l\\n', '-4', '-L', '50']);
    expect(made).toEqual(asSets.map((name) => lines(expectedPrefixes(known, name, 4))));
  });

  test('AS numbers, each byte', async () => {
    const made = await filtersOf(asSets, ['-t', '-j']);
    expect(made.map((text) => text.match(/\d+/g) ?? [])).toEqual(
      asSets.map((name) => expectedAsNumbers(known, name).map(String)),
    );
  });

  test('aggregated: the filter accepts the same prefixes', async () => {
    const made = await filtersOf(names, ['-F', '%n/%l %a %A\\n', '-4', '-A']);
    expect(made.map(accepted)).toEqual(names.map((name) => [...expectedPrefixes(known, name, 4)].sort()));
  });
});

/** The prefixes that an aggregated filter accepts: those inside a line's prefix, with a length of its range. */
function accepted(filter: string): string[] {
  const prefixes = filter
    .split('\n')
    .filter((line) => line !== '')
    .flatMap((line) => {
      const [prefix = '', low, high] = line.split(' ');
      const [network = '', length = ''] = prefix.split('/');
      const first = network.split('.').reduce((sum, byte) => sum * 256 + Number(byte), 0);
      const lengths = Array.from({ length: Number(high) - Number(low) + 1 }, (_, n) => Number(low) + n);
      return lengths.flatMap((wanted) =>
        Array.from({ length: 2 ** (wanted - Number(length)) }, (_, n) => {
          const address = first + n * 2 ** (32 - wanted);
          return `${[24, 16, 8, 0].map((shift) => Math.floor(address / 2 ** shift) % 256).join('.')}/${wanted}`;
        }),
      );
    });
  return [...new Set(prefixes)].sort();
}
