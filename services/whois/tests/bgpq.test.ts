import { execFile } from 'node:child_process';
import { isInstalled, isSkipped } from '@cadastre/service/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createRegistry, type Registry } from './registry.fixture.js';
import { type RunningWhois, startWhois } from './whois.fixture.js';

const programs = ['bgpq4', 'bgpq3'] as const;
const isMissing = isSkipped(
  'bgpq against whois',
  programs.filter((program) => !isInstalled(program)),
);

const route = (prefix: string, origin: string) =>
  `${prefix.includes(':') ? 'route6' : 'route'}: ${prefix}\norigin: ${origin}\nmnt-by: A-MNT\nsource: TEST`;
const set = (name: string, members: string) =>
  `${name.startsWith('RS') ? 'route-set' : 'as-set'}: ${name}\nmembers: ${members}\nmnt-by: A-MNT\nsource: TEST`;

/** 26 of them have a list of 233 bytes, which bgpq4 reads. */
const mirrors = Array.from({ length: 25 }, (_, n) => `MIRROR${String.fromCharCode(65 + n)}-`);

const env = { CADASTRE_GRS_SOURCES: mirrors.join(','), CADASTRE_WHOIS_SOURCES: ['TEST', ...mirrors].join(',') };

let registry: Registry;
let whois: RunningWhois;

beforeAll(async () => {
  registry = createRegistry(['TEST', ...mirrors]);
  registry.put(
    [
      route('192.0.2.0/24', 'AS64500'),
      route('198.51.100.0/24', 'AS64501'),
      route('203.0.113.0/24', 'AS64502'),
      route('100.64.0.0/10', 'AS64503'),
      route('2001:db8::/32', 'AS64501'),
      set('AS-EX', 'AS64500, AS-MORE, AS-EX'),
      set('AS-MORE', 'AS64501'),
      set('AS-COPY', 'AS64503'),
      set('RS-EX', '192.0.2.0/24^24-25, AS64501'),
      set('RS-ONE', '192.0.2.0/24^25, RS-MORE'),
      set('RS-MORE', '203.0.113.0/24^25'),
      set('AS-TOP', 'AS64500, AS-BIG'),
      set('AS-BIG', Array.from({ length: 101 }, (_, n) => `AS${65_536 + n}`).join()),
      set('RS-BIG', Array.from({ length: 101 }, (_, n) => `10.0.${n}.0/24`).join()),
    ].join('\n\n'),
  );
  registry.put(route('10.0.0.0/8', 'AS64503'), mirrors[0]);
  const indexBounds = { setMembers: 100, maintainerMembers: 1_000_000, bytes: 100_000_000 };
  whois = await startWhois(registry, env, { indexBounds });
});
afterAll(() => whois.stop());

interface Finished {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

function run(program: (typeof programs)[number], args: readonly string[], port = whois.port): Promise<Finished> {
  const server = `127.0.0.1:${port}`;
  return new Promise((resolve) => {
    execFile(program, ['-p', '-h', server, ...args], (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code ?? -1), stdout, stderr });
    });
  });
}

/** Prefixes and AS numbers in an output, in their order; JSON has slashes as `\/`. */
const shown = (text: string) => text.replaceAll('\\', '').match(/[0-9a-f:.]+\/\d+|\b6450\d\b/g) ?? [];

describe.skipIf(isMissing)('bgpq4', () => {
  test.each<[string, string[], string[]]>([
    ['the prefixes of a set', ['-4', '-j', '-l', 'EX', 'AS-EX'], ['192.0.2.0/24', '198.51.100.0/24']],
    ['those of IPv6', ['-6', '-j', '-l', 'EX', 'AS-EX'], ['2001:db8::/32']],
    ['those from chosen sources', ['-S', 'TEST', '-4', '-j', '-l', 'EX', 'AS-EX'], ['192.0.2.0/24', '198.51.100.0/24']],
    [
      'those with routes of another source',
      ['-S', `TEST-routes:${mirrors[0]}`, '-4', '-j', '-l', 'EX', 'AS-COPY'],
      ['10.0.0.0/8'],
    ],
    ['those level by level', ['-L', '5', '-4', '-j', '-l', 'EX', 'AS-EX'], ['192.0.2.0/24', '198.51.100.0/24']],
    ['those without an excluded set', ['-4', '-j', '-l', 'EX', 'AS-EX', 'EXCEPT', 'AS-MORE'], ['192.0.2.0/24']],
    ['those of the set of a source', ['-4', '-j', '-l', 'EX', 'TEST::AS-MORE'], ['198.51.100.0/24']],
    [
      'those of a route-set',
      ['-4', '-j', '-l', 'EX', 'RS-EX'],
      ['192.0.2.0/24', '192.0.2.0/25', '192.0.2.128/25', '198.51.100.0/24'],
    ],
    [
      'those of a route-set with one length each',
      ['-4', '-j', '-l', 'EX', 'RS-ONE'],
      ['192.0.2.0/25', '192.0.2.128/25', '203.0.113.0/25', '203.0.113.128/25'],
    ],
    ['those of an AS number', ['-4', '-j', '-l', 'EX', 'AS64502'], ['203.0.113.0/24']],
    ['the AS numbers of a set', ['-f', '64500', '-j', '-l', 'EX', 'AS-EX'], ['64500', '64501']],
  ])('reads %s', async (_what, args, expected) => {
    const { code, stdout, stderr } = await run('bgpq4', args);
    expect({ code, stderr, shown: shown(stdout) }).toEqual({ code: 0, stderr: '', shown: expected });
  });

  test.each([
    ['a set', ['-4', '-l', 'EX', 'AS-BIG'], 'AS-BIG'],
    ['a set with such a member', ['-4', '-l', 'EX', 'AS-TOP'], 'AS-BIG'],
    ['its AS numbers', ['-f', '64500', '-l', 'EX', 'AS-TOP'], 'AS-BIG'],
    ['one level by level', ['-L', '5', '-4', '-l', 'EX', 'AS-TOP'], 'AS-BIG'],
    ['a route-set', ['-4', '-l', 'EX', 'RS-BIG'], 'RS-BIG'],
  ])('makes no filter of one above the bound, and says why: %s', async (_what, args, name) => {
    const { code, stdout, stderr } = await run('bgpq4', args);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain(`%% Set ${name} has more than 100 members and is not expanded`);
  });

  test('runs four times at once, as arouteserver does, within the bounds of connections', async () => {
    const bounded = await startWhois(registry, { ...env, CADASTRE_WHOIS_CONNECTIONS_PER_CLIENT: '3' });
    try {
      const runs = ['AS-EX', 'AS-MORE', 'RS-EX', 'AS64502'].map((name) =>
        run('bgpq4', ['-4', '-j', '-l', 'EX', name], bounded.port),
      );
      expect((await Promise.all(runs)).map(({ code, stderr, stdout }) => [code, stderr, shown(stdout).length])).toEqual(
        [
          [0, '', 2],
          [0, '', 1],
          [0, '', 4],
          [0, '', 1],
        ],
      );
    } finally {
      await bounded.stop();
    }
  });

  test('reads sources by their names, and a set of one of them', async () => {
    const known = createRegistry(['TEST', 'RIPE', 'RADB-GRS']);
    const of = (source: string, ...texts: string[]) =>
      known.put(texts.map((text) => text.replace('source: TEST', `source: ${source}`)).join('\n\n'), source);
    of('RIPE', set('AS-EX', 'AS64500, AS-SUB'), set('AS-SUB', 'AS64501'), route('192.0.2.0/24', 'AS64500'));
    of('RADB-GRS', set('AS-EX', 'AS64502'), set('AS-SUB', 'AS64502'));
    of('RADB-GRS', route('198.51.100.0/24', 'AS64501'), route('203.0.113.0/24', 'AS64502'));
    const names = { CADASTRE_GRS_SOURCES: 'RIPE,RADB-GRS', CADASTRE_SOURCE_ALIASES: 'RADB=RADB-GRS ALL=RADB-GRS,RIPE' };
    const running = await startWhois(known, names);
    try {
      const prefixes = async (...args: string[]) => {
        const { code, stdout, stderr } = await run('bgpq4', ['-4', '-j', '-l', 'EX', ...args], running.port);
        return { code, stderr, shown: shown(stdout) };
      };
      const found = (...all: string[]) => ({ code: 0, stderr: '', shown: all });
      expect(await prefixes('-S', 'RIPE,RADB', 'AS-EX')).toEqual(found('192.0.2.0/24', '198.51.100.0/24'));
      expect(await prefixes('-S', 'RADB,RIPE', 'AS-EX')).toEqual(found('203.0.113.0/24'));
      expect(await prefixes('-S', 'ALL', 'AS-EX')).toEqual(found('203.0.113.0/24'));
      expect(await prefixes('-S', 'RIPE,RADB', 'RIPE::AS-EX')).toEqual(found('192.0.2.0/24', '198.51.100.0/24'));
      expect(await prefixes('-S', 'RIPE,RADB', 'RADB::AS-EX')).toEqual(found('203.0.113.0/24'));
      expect(await prefixes('-S', 'RIPE', 'RIPE::AS-EX')).toEqual(found('192.0.2.0/24'));
    } finally {
      await running.stop();
    }
  });

  test('stops at a source that does not exist', async () => {
    const { code, stderr } = await run('bgpq4', ['-S', 'NOPE', '-4', '-l', 'EX', 'AS-EX']);
    expect(code).toBe(1);
    expect(stderr).toContain("Invalid source(s) 'NOPE'");
  });
});

describe.skipIf(isMissing)('bgpq3', () => {
  test.each<[string, string[], string[]]>([
    ['the prefixes of a set', ['-4', '-j', '-l', 'EX', 'AS-EX'], ['192.0.2.0/24', '198.51.100.0/24']],
    ['those of IPv6', ['-6', '-j', '-l', 'EX', 'AS-EX'], ['2001:db8::/32']],
  ])('reads %s', async (_what, args, expected) => {
    const { code, stdout } = await run('bgpq3', args);
    expect({ code, shown: shown(stdout) }).toEqual({ code: 0, shown: expected });
  });

  test.each(['AS-TOP', 'RS-BIG'])('makes no filter of one above the bound: %s', async (name) => {
    const { stdout, stderr } = await run('bgpq3', ['-4', '-l', 'EX', name]);
    expect(stdout).toBe('');
    expect(stderr).toContain('BIG has more than 100 members');
  });
});
