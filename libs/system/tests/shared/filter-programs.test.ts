import { isInstalled, isSkipped } from '@cadastre/service/testing';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import { loadObjects } from '../harness/load-objects.js';
import { restClient } from '../harness/rest.js';
import { runProgram } from '../harness/run-program.js';

const programs = ['bgpq4', 'bgpq3', 'whois'];
const isMissing = isSkipped(
  'programs that ask whois',
  programs.filter((program) => !isInstalled(program)),
);

const rest = 'mnt-by: FILTER-MNT\nsource: TEST\n';
const contacts = `admin-c: AE1-TEST\ntech-c: AE1-TEST\n${rest}`;
const route = (prefix: string, origin: string) => `route: ${prefix}\norigin: ${origin}\n${rest}`;
const objects = [
  `mntner: FILTER-MNT\nadmin-c: AE1-TEST\nupd-to: filter@example.net\nauth: SSO filter@example.net\n${rest}`,
  route('100.80.0.0/24', 'AS64480'),
  route('100.80.1.0/24', 'AS64481'),
  `route6: 2001:db8:80::/48\norigin: AS64481\n${rest}`,
  `as-set: AS-FILTER\nmembers: AS64480, AS-FILTER-MORE\n${contacts}`,
  `as-set: AS-FILTER-MORE\nmembers: AS64481, AS-FILTER\n${contacts}`,
];

describe.skipIf(isMissing)('programs that make filters', () => {
  const system = inject('sharedSystem');
  const [, port = ''] = system.whois.split(':');

  const bgpq = async (program: string, args: readonly string[]) => {
    const text = await runProgram(program, ['-p', '-h', `127.0.0.1:${port}`, '-j', '-l', 'EX', ...args], {});
    // JSON has slashes as "\/".
    return text.replaceAll('\\', '').match(/[0-9a-f:.]+\/\d+/g) ?? [];
  };
  const whois = async (query: string) => runProgram('whois', ['-h', '127.0.0.1', '-p', port, '--', query], {});

  beforeAll(async () => {
    await loadObjects(system, objects);
  });

  test.each<[string, string[], string[]]>([
    ['bgpq4', ['-4', 'AS-FILTER'], ['100.80.0.0/24', '100.80.1.0/24']],
    ['bgpq4', ['-6', '-S', 'TEST', 'AS-FILTER'], ['2001:db8:80::/48']],
    ['bgpq3', ['-4', 'AS-FILTER'], ['100.80.0.0/24', '100.80.1.0/24']],
  ])('%s %j', async (program, args, prefixes) => {
    await expect.poll(() => bgpq(program, args)).toEqual(prefixes);
  });

  test('REST lists the prefixes that they ask for', async () => {
    const rest = restClient(system);
    try {
      const listed = async (query: string) => (await rest(`/TEST/as-set/AS-FILTER/expanded.txt?${query}`)).text;
      await expect.poll(() => listed('family=4')).toBe('100.80.0.0/24\n100.80.1.0/24\n');
      expect(await listed('family=4&aggregate')).toBe('100.80.0.0/23\n');
      expect(await listed('by=origin')).toBe(
        'AS64480 100.80.0.0/24 TEST\nAS64481 100.80.1.0/24 TEST\nAS64481 2001:db8:80::/48 TEST\n',
      );
    } finally {
      rest.close();
    }
  });

  test('whois shows the answer to a command, whose letters it makes small', async () => {
    await expect.poll(() => whois('!gAS64480')).toBe('A14\n100.80.0.0/24\nC\n');
    expect(await whois('!r100.80.0.0/24')).toMatch(/^A\d+\nroute: +100\.80\.0\.0\/24\n/);
  });

  test('a change shows', async () => {
    await loadObjects(system, [route('100.80.2.0/24', 'AS64480')]);
    await expect.poll(() => bgpq('bgpq4', ['-4', 'AS64480'])).toEqual(['100.80.0.0/24', '100.80.2.0/24']);
  });
});
