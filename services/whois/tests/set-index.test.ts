import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { entry } from '@cadastre/roa/testing';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createRegistry, type Registry } from './registry.fixture.js';
import { beginWhois, type RunningWhois, startWhois } from './whois.fixture.js';

let registry: Registry;
let whois: RunningWhois;

beforeEach(async () => {
  registry = createRegistry();
  registry.put('as-set: AS-EX\nmembers: AS64500\nmbrs-by-ref: EXAMPLE-MNT\nmnt-by: EXAMPLE-MNT\nsource: TEST');
  registry.put(route('192.0.2.0/24'));
  whois = await startWhois(registry);
});
afterEach(() => whois.stop());

function route(prefix: string, more = ''): string {
  return `route: ${prefix}\norigin: AS64500\n${more}mnt-by: EXAMPLE-MNT\nsource: TEST`;
}

/** The output of a command. */
async function shown(command: string): Promise<string> {
  const answer = await whois.ask(`${command}\n`);
  return answer === 'D\n' ? '' : /^A\d+\n(.*)\nC\n$/s.exec(answer)![1]!;
}

test('the index follows the changes of routes', async () => {
  registry.put(route('198.51.100.0/24'));
  await expect.poll(() => shown('!gAS64500')).toBe('192.0.2.0/24 198.51.100.0/24');
  registry.remove('route', '192.0.2.0/24AS64500');
  await expect.poll(() => shown('!gAS64500')).toBe('198.51.100.0/24');
  registry.put(route('198.51.100.0/24').replace('source: TEST', 'source: TEST-NONAUTH'));
  await expect.poll(() => shown('!gAS64500')).toBe('');
});

test('and the origins of a prefix', async () => {
  const other = route('192.0.2.0/24').replace('AS64500', 'AS64501');
  registry.put(`${other}\n\n${route('192.0.2.0/24')}`);
  await expect.poll(() => shown('!r192.0.2.0/24,o')).toBe('AS64500 AS64501');
  registry.remove('route', '192.0.2.0/24AS64500');
  await expect.poll(() => shown('!r192.0.2.0/24,o')).toBe('AS64501');
  registry.put(other.replace('source: TEST', 'source: TEST-NONAUTH'));
  await expect.poll(() => shown('!r192.0.2.0/24,o')).toBe('');
});

test('and of sets and those that join them', async () => {
  registry.put('as-set: as-ex\nmembers: AS64501\nmbrs-by-ref: EXAMPLE-MNT\nmnt-by: EXAMPLE-MNT\nsource: TEST');
  await expect.poll(() => shown('!iAS-EX')).toBe('AS64501');
  registry.put('aut-num: AS64502\nmember-of: as-ex\nmnt-by: Example-MNT\nsource: TEST');
  await expect.poll(() => shown('!iAS-EX')).toBe('AS64501 AS64502');
  registry.put('aut-num: AS64502\nmember-of: AS-EX\nmnt-by: OTHER-MNT\nsource: TEST');
  await expect.poll(() => shown('!iAS-EX')).toBe('AS64501');
  registry.put('aut-num: AS64503\nmember-of: AS-EX\nmnt-by: EXAMPLE-MNT\nsource: TEST');
  await expect.poll(() => shown('!iAS-EX')).toBe('AS64501 AS64503');
  registry.remove('aut-num', 'AS64503');
  await expect.poll(() => shown('!iAS-EX')).toBe('AS64501');
  registry.remove('as-set', 'as-ex');
  await expect.poll(() => shown('!iAS-EX')).toBe('');
});

test('a registry that was restored to an earlier state is read again', async () => {
  registry.put(route('198.51.100.0/24'));
  await expect.poll(() => shown('!gAS64500')).toBe('192.0.2.0/24 198.51.100.0/24');
  registry.rewind(2);
  registry.put(route('203.0.113.0/24'));
  await expect.poll(() => shown('!gAS64500')).toBe('192.0.2.0/24 203.0.113.0/24');
  expect(await shown('!j-*')).toBe('TEST:N:0-3\nTEST-NONAUTH:N:0-3');
});

test.each([
  ['far more changes than the index has objects: the registry is read again', 20_001, 1],
  ['fewer changes: the index follows them', 200, 0],
])('%s', async (_what, loaded, exported) => {
  const before = registry.exports();
  const persons = Array.from({ length: loaded - 1 }, (_, n) => `person: Example\nnic-hdl: P${n}-TEST\nsource: TEST`);
  registry.put([...persons, route('198.51.100.0/24')].join('\n\n'));
  await expect.poll(() => shown('!j-*')).toContain(`TEST:N:0-${loaded + 2}`);
  expect(await shown('!gAS64500')).toBe('192.0.2.0/24 198.51.100.0/24');
  expect(registry.exports() - before).toBe(exported);
});

test('a chain of 30 sets is expanded', async () => {
  const chain = Array.from(
    { length: 30 },
    (_, n) => `as-set: AS-C${n}\nmembers: AS-C${n + 1}\nmnt-by: A-MNT\nsource: TEST`,
  );
  registry.put([...chain, 'as-set: AS-C30\nmembers: AS64500, AS-C0\nmnt-by: A-MNT\nsource: TEST'].join('\n\n'));
  await expect.poll(() => shown('!iAS-C0,1')).toBe('AS64500');
  expect(await shown('!aAS-C0')).toBe('192.0.2.0/24');
});

test('no prefix list is shown before the first ROAs: it might have invalid routes', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'whois-'));
  const file = join(directory, 'roas.json');
  const waiting = await beginWhois(registry, { CADASTRE_ROA_SOURCE: file, CADASTRE_ROA_REFRESH: '1s' });
  try {
    await expect.poll(() => waiting.ask('!j-*\n')).toContain('TEST:N:0-2');
    for (const command of ['!gAS64500', '!aAS-EX', '!iAS-EX,1', '!r192.0.2.0/24']) {
      expect(await waiting.ask(`!!\n!nclient\n${command}\n!v\n`)).toBe('C\n');
    }
    expect(await waiting.answers(['!fno-rpki-filter', '!r192.0.2.0/24,o'])).toEqual([
      expect.stringMatching(/^A/),
      'A8\nAS64500\nC\n',
    ]);
    expect(await waiting.ask('!JTEST\n')).toContain('"rpki_rov_filter": true');
    await writeFile(file, JSON.stringify({ roas: [entry('AS64501 192.0.2.0/24')] }));
    await expect.poll(() => waiting.ask('!aAS-EX\n')).toBe('D\n');
    await writeFile(file, JSON.stringify({ roas: [entry('AS64500 192.0.2.0/24')] }));
    await expect.poll(() => waiting.ask('!aAS-EX\n')).toBe('A13\n192.0.2.0/24\nC\n');
  } finally {
    await waiting.stop();
    await rm(directory, { recursive: true });
  }
});

test('routes that ROAs make invalid are left out, until other ROAs come', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'whois-'));
  const file = join(directory, 'roas.json');
  const writeRoas = (...roas: readonly string[]) =>
    writeFile(file, JSON.stringify({ roas: roas.map((roa) => entry(roa)) }));
  await writeRoas('AS64500 192.0.2.0/24', 'AS64501 198.51.100.0/24');
  const secured = await startWhois(registry, { CADASTRE_ROA_SOURCE: file, CADASTRE_ROA_REFRESH: '1s' });
  try {
    registry.put(route('198.51.100.0/24'));
    await expect.poll(() => secured.ask('!j-*\n')).toContain('TEST:N:0-3');
    await expect.poll(() => secured.ask('!gAS64500\n')).toBe('A13\n192.0.2.0/24\nC\n');
    expect(await secured.ask('!r198.51.100.0/24,o\n')).toBe('D\n');
    expect(await secured.answers(['!fno-rpki-filter', '!r198.51.100.0/24,o', '!gAS64500'])).toEqual([
      expect.stringMatching(/^A\d+\nFiltering out RPKI invalids is disabled/),
      'A8\nAS64500\nC\n',
      'A13\n192.0.2.0/24\nC\n',
    ]);
    await writeRoas('AS64501 192.0.2.0/24', 'AS64500 198.51.100.0/24');
    await expect.poll(() => secured.ask('!gAS64500\n')).toBe('A16\n198.51.100.0/24\nC\n');
    registry.remove('route', '192.0.2.0/24AS64500');
    await writeRoas('AS64500 192.0.2.0/24');
    await expect.poll(() => secured.ask('!j-*\n')).toContain('TEST:N:0-4');
    expect(await secured.ask('!gAS64500\n')).toBe('A16\n198.51.100.0/24\nC\n');
  } finally {
    await secured.stop();
    await rm(directory, { recursive: true });
  }
});
