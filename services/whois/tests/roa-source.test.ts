import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AddressFamily, SetServiceService } from '@cadastre/proto/whois';
import { entry } from '@cadastre/roa/testing';
import { connect } from '@cadastre/service';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createRegistry, type Registry } from './registry.fixture.js';
import { beginWhois, type RunningWhois, startWhois } from './whois.fixture.js';

const route = (prefix: string, origin: string, source = 'TEST') =>
  `route: ${prefix}\norigin: ${origin}\nmnt-by: A-MNT\nsource: ${source}`;
const set = 'as-set: AS-EX\nmembers: AS64500, AS64501\nmnt-by: A-MNT\nsource: TEST';
const ofTest = route('192.0.2.0/24', 'AS64500');
const roas = [
  'AS64500 192.0.2.0/24-26',
  'AS64500 198.51.100.0/24',
  'AS64500 2001:db8::/32-48',
  'AS64502 192.0.0.0/16-24',
  'AS64501 192.0.2.128/25',
  'AS64500 192.0.2.0/24',
];

/** The object that a ROA gives. */
function ofRoa(prefix: string, origin: string, maxLength: number): string {
  return [
    `${prefix.includes(':') ? 'route6: ' : 'route:  '}        ${prefix}`,
    `descr:          RPKI ROA for ${prefix} / ${origin}`,
    'remarks:        This server makes this object from a ROA: no registry has it.',
    `max-length:     ${maxLength}`,
    `origin:         ${origin}`,
    'source:         RPKI  # Trust Anchor: ripe',
  ].join('\n');
}

const covering = ofRoa('192.0.0.0/16', 'AS64502', 24);
const exact = `${ofRoa('192.0.2.0/24', 'AS64500', 26)}\n\n${ofRoa('192.0.2.0/24', 'AS64500', 24)}`;
const inside = ofRoa('192.0.2.128/25', 'AS64501', 25);

let directory: string;
let file: string;
let registry: Registry;
let whois: RunningWhois;

const writeRoas = (...all: readonly string[]) =>
  writeFile(file, JSON.stringify({ roas: all.map((roa) => entry(roa)) }));

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'whois-'));
  file = join(directory, 'roas.json');
  await writeRoas(...roas);
  registry = createRegistry(['TEST', 'RADB']);
  registry.put(`${set}\n\n${ofTest}`);
  registry.put(route('203.0.113.0/24', 'AS64500', 'RADB'), 'RADB');
  whois = await startWhois(registry, { CADASTRE_GRS_SOURCES: 'RADB', CADASTRE_ROA_SOURCE: file });
  await hasRoas(whois);
});
afterAll(async () => {
  await whois.stop();
  await rm(directory, { recursive: true });
});

/** Waits until the service has made routes of the ROAs. */
async function hasRoas(running: RunningWhois): Promise<void> {
  await vi.waitFor(
    async () => expect(await running.answers(['!sRPKI,RADB', '!gAS0'])).toEqual(['C\n', 'D\n']),
    150_000,
  );
}

const data = (text: string) => `A${text.length + 1}\n${text}\nC\n`;
const own = '192.0.2.0/24 198.51.100.0/24';

test.each<[string, string, string]>([
  ['RPKI', '!gAS64500', data(own)],
  ['rpki', '!gAS64500', data(own)],
  ['RPKI', '!6as64500', data('2001:db8::/32')],
  ['RPKI', '!gAS64503', 'D\n'],
  ['RPKI,RADB', '!gAS64500', data(`${own} 203.0.113.0/24`)],
  ['RADB', '!gAS64500', data('203.0.113.0/24')],
  ['TEST,RPKI', '!gAS64500', data(own)],
  ['TEST,RPKI', '!s-lc', data('TEST,RPKI')],
  ['TEST,RPKI', '!aAS-EX', data('192.0.2.0/24 192.0.2.128/25 198.51.100.0/24 2001:db8::/32')],
  ['RPKI,TEST', '!a4AS-EX', data('192.0.2.0/24 192.0.2.128/25 198.51.100.0/24')],
  ['TEST', '!aAS-EX', data('192.0.2.0/24')],
  ['RPKI', '!aAS-EX', 'D\n'],
  ['TEST', '!iRPKI::AS-EX', 'D\n'],
  ['RPKI', '!r192.0.2.0/24', data(exact)],
  ['RPKI', '!r2001:db8::/32', data(ofRoa('2001:db8::/32', 'AS64500', 48))],
  ['RPKI', '!r192.0.2.0/25', 'D\n'],
  ['TEST,RPKI', '!r192.0.2.0/24', data(`${ofTest}\n\n${exact}`)],
  ['TEST', '!r192.0.2.0/24', data(ofTest)],
  ['RPKI', '!r192.0.2.0/24,l', data(covering)],
  ['RPKI', '!r192.0.2.0/25,l', data(exact)],
  ['RPKI', '!r192.0.2.128/25,L', data(`${covering}\n\n${exact}\n\n${inside}`)],
  ['RPKI', '!r192.0.2.0/24,M', data(inside)],
  ['RPKI', '!r192.0.0.0/16,M', data(`${exact}\n\n${inside}`)],
  ['RPKI', '!r192.0.0.0/16,o', data('AS64502')],
  ['RPKI', '!r192.0.2.0/24,o', data('AS64500')],
  ['RPKI,TEST', '!r192.0.2.128/25,o', data('AS64501')],
  ['RADB', '!r192.0.2.128/25,o', 'D\n'],
  ['RPKI', '!mroute,192.0.2.128/25AS64501/ML25', data(inside)],
  ['RPKI', '!mrt,192.0.2.128/25-as64501/ml25', data(inside)],
  ['RPKI', '!mroute6,192.0.2.128/25AS64501/ML25', 'D\n'],
  ['RPKI', '!mroute,192.0.2.128/25AS64501', 'D\n'],
  ['RPKI,TEST', '!mroute,192.0.2.0/24AS64500', data(ofTest)],
  ['RPKI', '!oA-MNT', 'D\n'],
  ['RPKI', '!jRPKI', data('RPKI:N:-')],
  ['TEST-routes:RPKI', '!a4AS-EX', data('192.0.2.0/24 192.0.2.128/25 198.51.100.0/24')],
  ['TEST-routes:rpki,RADB', '!gAS64500', data(`${own} 203.0.113.0/24`)],
  ['TEST-routes:RPKI', '!r192.0.2.0/24', data(exact)],
  ['RPKI-routes:TEST', '!r192.0.2.0/24', data(ofTest)],
  ['TEST-routes:RPKI', '!r192.0.2.128/25,o', data('AS64501')],
  ['TEST-routes:RPKI', '!mroute,192.0.2.128/25AS64501/ML25', 'D\n'],
])('after !s%s, %s', async (sources, command, answer) => {
  expect(await whois.answers([`!s${sources}`, command])).toEqual(['C\n', answer]);
});

test('objects of the registry come from the search service, which has no routes of ROAs', async () => {
  registry.searched.splice(0);
  await whois.ask('!!\n!sRPKI,RADB\n!r192.0.2.0/24\n!sRPKI\n!r192.0.2.0/24\n!oA-MNT\n!q\n');
  await whois.ask('!!\n!sRPKI,RADB\n-T route 203.0.113.0/24\n!q\n');
  expect(registry.searched.map(({ sources }) => sources)).toEqual([['RADB'], ['RADB']]);
  expect(await whois.ask('!!\n!sRPKI\n-T route 203.0.113.0/24\n!q\n')).toContain('%ERROR:102: unknown source');
});

test.each([
  [
    'among others',
    { sources: ['TEST', 'rpki'], routeSources: [] },
    ['AS64500 192.0.2.0/24 TEST,RPKI', 'AS64500 198.51.100.0/24 RPKI', 'AS64501 192.0.2.128/25 RPKI'],
  ],
  [
    'as the only source of routes',
    { sources: ['TEST'], routeSources: ['rpki'] },
    ['AS64500 192.0.2.0/24\n198.51.100.0/24 RPKI', 'AS64501 192.0.2.128/25 RPKI'],
  ],
])('expansions over gRPC tell which prefixes come from ROAs: %s', async (_what, chosen, groupsExpected) => {
  const client = connect(SetServiceService, { address: whois.address, deadlineMs: 60_000 });
  const found: string[] = [];
  try {
    const request = {
      ...{ ...chosen, excludedSets: [], name: 'AS-EX', client: '', explain: false },
      ...{ family: AddressFamily.ADDRESS_FAMILY_IPV4, aggregate: false, byOrigin: true },
    };
    for await (const { groups } of client.expandSet(request)) {
      found.push(...groups.map(({ origin, prefixes, sources }) => `AS${origin} ${prefixes} ${sources}`));
    }
  } finally {
    client.close();
  }
  expect(found).toEqual(groupsExpected);
});

test('new ROAs replace the old ones; before the first ones there is no answer', async () => {
  const later = join(directory, 'later.json');
  const write = (...all: readonly string[]) =>
    writeFile(later, JSON.stringify({ roas: all.map((roa) => ({ ...entry(roa), ta: undefined })) }));
  const env = { CADASTRE_ROA_SOURCE: later, CADASTRE_ROA_REFRESH: '1s', CADASTRE_ROA_POLICY: 'show' };
  const running = await beginWhois(registry, {
    ...{ ...env, CADASTRE_ROA_TRUST_ANCHORS: 'all' },
    ...{ CADASTRE_GRS_SOURCES: 'RADB', CADASTRE_WHOIS_SOURCES: 'RPKI,TEST' },
  });
  try {
    for (const command of ['!gAS64500', '!aAS-EX', '!r192.0.2.0/24', '!r192.0.2.0/24,o']) {
      expect(await running.ask(`!!\n!sRPKI\n${command}\n!v\n`)).toBe('C\n');
    }
    await write('AS64500 198.51.100.0/24');
    await expect.poll(() => running.ask('!gAS64500\n')).toBe(data('192.0.2.0/24 198.51.100.0/24'));
    expect(await running.ask('!r198.51.100.0/24\n')).toBe(
      data(ofRoa('198.51.100.0/24', 'AS64500', 24).replace('  # Trust Anchor: ripe', '')),
    );
    await write('AS64500 203.0.113.0/24');
    await expect.poll(() => running.ask('!gAS64500\n')).toBe(data('192.0.2.0/24 203.0.113.0/24'));
    expect(await running.ask('!r198.51.100.0/24\n')).toBe('D\n');
  } finally {
    await running.stop();
  }
});

test('an answer with too many objects is refused', async () => {
  const many = join(directory, 'many.json');
  const all = Array.from({ length: 80_000 }, (_, n) =>
    entry(`AS64500 10.${n >> 9}.${(n >> 1) & 255}.${(n & 1) * 128}/25`),
  );
  await writeFile(many, JSON.stringify({ roas: all }));
  const running = await startWhois(registry, { CADASTRE_GRS_SOURCES: 'RADB', CADASTRE_ROA_SOURCE: many });
  try {
    await hasRoas(running);
    expect(await running.ask('!!\n!sRPKI\n!r10.0.0.0/8,M\n!v\n')).toBe('C\n');
    expect((await running.ask('!!\n!sRPKI\n!r10.0.0.0/11,M\n!q\n')).match(/^route:/gm)).toHaveLength(16_384);
  } finally {
    await running.stop();
  }
});

test.each([
  ['without ROAs', {}, 'F One or more selected sources are unavailable.\n', 'D\n'],
  ['beside a copy of that name', { CADASTRE_GRS_SOURCES: 'RPKI', isCopy: 'yes' }, 'C\n', data('10.0.0.0/8')],
])('there is no such source %s', async (_what, { isCopy, ...env }: Record<string, string>, chosen, answer) => {
  const copies = createRegistry(['TEST', 'RPKI']);
  copies.put(route('10.0.0.0/8', 'AS64500', 'RPKI'), 'RPKI');
  const running = await startWhois(copies, { ...env, ...(isCopy && { CADASTRE_ROA_SOURCE: file }) });
  try {
    await vi.waitFor(async () => {
      expect(await running.answers(['!sRPKI', '!gAS64500'])).toEqual([chosen, answer]);
    }, 150_000);
  } finally {
    await running.stop();
  }
});
