import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  AddressFamily,
  type ExpandSetRequest,
  type Omission,
  OmissionReason,
  type Omissions,
  SetServiceService,
} from '@cadastre/proto/whois';
import { entry } from '@cadastre/roa/testing';
import { connect } from '@cadastre/service';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createRegistry } from './registry.fixture.js';
import { type RunningWhois, startWhois } from './whois.fixture.js';

const bounds = { setMembers: 1_500, maintainerMembers: 100_000, bytes: 10_000_000 };
const many = Array.from({ length: 1_600 }, (_, n) => `AS${n + 1}`).join(', ');

const sets = `
as-set: AS-EX
members: AS64500, AS64501, AS-SUB, AS-GONE, AS-BIG, AS-MIRRORED, OTHER::AS-EX, NONE::AS-X, AS-OUT
mnt-by: A-MNT
source: TEST

as-set: AS-SUB
members: AS-EX, AS64502, AS-DEEP
mnt-by: A-MNT
source: TEST

as-set: AS-OUT
members: AS64503
mnt-by: A-MNT
source: TEST

as-set: AS-BIG
members: ${many}
mnt-by: A-MNT
source: TEST

as-set: AS-ALL
members: AS64500, AS64501
mnt-by: A-MNT
source: TEST

as-set: AS-MANY
members: AS64510
mnt-by: A-MNT
source: TEST

route-set: RS-EX
members: AS64500, RS-GONE^+, 10.0.0.0/8
mnt-by: A-MNT
source: TEST
`;

const mirrored = `
as-set: AS-MIRRORED
members: AS64501
mnt-by: A-MNT
source: OTHER
`;

function route(origin: string, prefix: string, source = 'TEST'): string {
  return `route${prefix.includes(':') ? '6' : ''}: ${prefix}\norigin: ${origin}\nmnt-by: A-MNT\nsource: ${source}`;
}

const own = [
  route('AS64500', '192.0.2.0/24'),
  route('AS64500', '198.51.100.0/25'),
  route('AS64501', '192.0.2.0/24'),
  route('AS64501', '2001:db8:1::/48'),
  route('AS64502', '203.0.113.0/24', 'TEST-NONAUTH'),
];
const others = [route('AS64500', '192.0.2.0/24', 'OTHER'), route('AS64501', '203.0.113.0/25', 'OTHER')];
const invalid = Array.from({ length: 1_250 }, (_, n) => route('AS64510', `10.${n >> 8}.${n & 255}.0/24`));

let directory: string;
let whois: RunningWhois;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'whois-'));
  const roas = ['AS64500 192.0.2.0/24', 'AS64500 198.51.100.0/24', 'AS64500 2001:db8::/32-48', 'AS64511 10.0.0.0/8-24'];
  await writeFile(join(directory, 'roas.json'), JSON.stringify({ roas: roas.map((one) => entry(one)) }));
  const registry = createRegistry(['TEST', 'OTHER']);
  registry.put(`${sets}\n${[...own, ...invalid].join('\n\n')}`);
  registry.put(`${mirrored}\n${others.join('\n\n')}`, 'OTHER');
  const env = { CADASTRE_GRS_SOURCES: 'OTHER', CADASTRE_ROA_SOURCE: join(directory, 'roas.json') };
  whois = await startWhois(registry, env, { indexBounds: bounds });
  await vi.waitFor(async () => expect(await whois.answers(['!sOTHER', '!gAS0'])).toEqual(['C\n', 'D\n']), 150_000);
});
afterAll(async () => {
  await whois.stop();
  await rm(directory, { recursive: true });
});

const usual: ExpandSetRequest = {
  ...{ sources: [], routeSources: [], excludedSets: [], name: '', client: '', explain: true },
  ...{ family: AddressFamily.ADDRESS_FAMILY_UNSPECIFIED, aggregate: false, byOrigin: false },
};

async function omissionsOf(request: Partial<ExpandSetRequest>): Promise<Omissions[]> {
  const client = connect(SetServiceService, { address: whois.address, deadlineMs: 60_000 });
  try {
    const found: Omissions[] = [];
    for await (const { omissions, groups } of client.expandSet({ ...usual, ...request })) {
      expect(groups).toEqual([]);
      if (omissions !== undefined) found.push(omissions);
    }
    return found;
  } finally {
    client.close();
  }
}

const words: Readonly<Partial<Record<OmissionReason, string>>> = {
  [OmissionReason.OMISSION_REASON_UNKNOWN_SET]: 'unknown',
  [OmissionReason.OMISSION_REASON_SET_OF_OTHER_SOURCE]: 'elsewhere',
  [OmissionReason.OMISSION_REASON_TOO_LARGE]: 'large',
  [OmissionReason.OMISSION_REASON_EXCLUDED_SET]: 'excluded',
  [OmissionReason.OMISSION_REASON_ROA_INVALID]: 'invalid',
  [OmissionReason.OMISSION_REASON_OTHER_SOURCE]: 'other',
};

function lineOf({ reason, set, memberOf, prefix, origin, sources, roa }: Omission): string {
  const route = prefix === undefined ? [] : [prefix, `AS${origin}`];
  const by = roa === undefined ? [] : [`by ${roa.prefix}-${roa.maxLength} AS${roa.origin}`];
  const places = memberOf === undefined ? [] : [`in ${memberOf}`];
  return [words[reason], ...(set === undefined ? [] : [set]), ...places, ...route, ...sources, ...by].join(' ');
}

const ofSets = [
  'unknown AS-GONE in AS-EX',
  'large AS-BIG in AS-EX',
  'elsewhere AS-MIRRORED in AS-EX OTHER',
  'elsewhere OTHER::AS-EX in AS-EX TEST',
  'unknown NONE::AS-X in AS-EX',
  'unknown AS-DEEP in AS-SUB',
];
const invalid500 = 'invalid 198.51.100.0/25 AS64500 TEST by 198.51.100.0/24-24 AS64500';
const invalid501 = [
  'invalid 192.0.2.0/24 AS64501 TEST by 192.0.2.0/24-24 AS64500',
  'invalid 2001:db8:1::/48 AS64501 TEST by 2001:db8::/32-48 AS64500',
];

test.each<[string, Partial<ExpandSetRequest>, string[]]>([
  [
    'sets, then routes that ROAs make invalid, then those of other sources',
    { name: 'AS-EX' },
    [
      ...ofSets,
      invalid500,
      ...invalid501,
      'other 203.0.113.0/24 AS64502 TEST-NONAUTH',
      'other 203.0.113.0/25 AS64501 OTHER',
    ],
  ],
  [
    'excluded sets',
    { name: 'AS-SUB', excludedSets: ['as-ex'] },
    ['excluded AS-EX in AS-SUB', 'unknown AS-DEEP in AS-SUB', 'other 203.0.113.0/24 AS64502 TEST-NONAUTH'],
  ],
  [
    'nothing of the sources that are read',
    { name: 'AS-ALL', sources: ['OTHER', 'TEST', 'TEST-NONAUTH'] },
    [
      'invalid 198.51.100.0/25 AS64500 TEST by 198.51.100.0/24-24 AS64500',
      'invalid 192.0.2.0/24 AS64501 TEST by 192.0.2.0/24-24 AS64500',
      'invalid 2001:db8:1::/48 AS64501 TEST by 2001:db8::/32-48 AS64500',
    ],
  ],
  [
    'routes of sources that are read for sets only',
    { name: 'AS-ALL', sources: ['TEST', 'OTHER'], routeSources: ['TEST'] },
    [invalid500, ...invalid501, 'other 203.0.113.0/25 AS64501 OTHER'],
  ],
  [
    'sets of sources that are read for routes only',
    { name: 'AS-EX', excludedSets: ['AS-SUB', 'AS-BIG'], routeSources: ['OTHER'] },
    [
      ...['excluded AS-SUB in AS-EX', 'unknown AS-GONE in AS-EX', 'excluded AS-BIG in AS-EX'],
      ...[
        'elsewhere AS-MIRRORED in AS-EX OTHER',
        'elsewhere OTHER::AS-EX in AS-EX TEST',
        'unknown NONE::AS-X in AS-EX',
      ],
    ],
  ],
  [
    'routes of all sources but the one that is read for them',
    { name: 'AS-ALL', routeSources: ['TEST-NONAUTH'] },
    ['other 192.0.2.0/24 AS64500 TEST', 'other 192.0.2.0/24 AS64500 OTHER', 'other 203.0.113.0/25 AS64501 OTHER'],
  ],
  [
    'a family',
    { name: 'AS-ALL', family: AddressFamily.ADDRESS_FAMILY_IPV6 },
    ['invalid 2001:db8:1::/48 AS64501 TEST by 2001:db8::/32-48 AS64500'],
  ],
  ['a route-set', { name: 'RS-EX' }, ['unknown RS-GONE in RS-EX', invalid500]],
  ['a set that is too large itself', { name: 'AS-BIG' }, ['large AS-BIG']],
  ['a set of another source', { name: 'AS-MIRRORED' }, ['elsewhere AS-MIRRORED OTHER']],
])('explains what is left out: %s', async (_what, request, lines) => {
  const found = await omissionsOf(request);
  expect(found.flatMap(({ list }) => list.map(lineOf))).toEqual(lines);
  expect(found.at(-1)).toMatchObject({ more: 0n, isPartial: false });
});

test('says which bound a set exceeds', async () => {
  const [found] = await omissionsOf({ name: 'AS-BIG' });
  expect(found?.list[0]?.detail).toBe('Set AS-BIG has more than 1500 members and is not expanded');
});

test('has at most 1,000 reasons, and the number of all others', async () => {
  const found = await omissionsOf({ name: 'AS-MANY' });
  expect(found.map(({ list }) => list.length)).toEqual([250, 250, 250, 250]);
  expect(found.map(({ more }) => more)).toEqual([0n, 0n, 0n, 250n]);
});

test.each<[string, Partial<ExpandSetRequest>, string]>([
  ['an unknown set', { name: 'AS-NONE' }, 'not-found'],
  ['the name of no set', { name: 'AS64500' }, 'invalid'],
  ['a set of routers', { name: 'RTRS-EX' }, 'invalid'],
  ['an unknown source', { name: 'AS-EX', sources: ['NONE'] }, 'invalid'],
  ['an unknown source of routes', { name: 'AS-EX', routeSources: ['NONE'] }, 'invalid'],
])('refuses %s', async (_name, request, kind) => {
  await expect(omissionsOf(request)).rejects.toMatchObject({ kind });
});

test('the explanation of a set without omissions is empty', async () => {
  expect(await omissionsOf({ name: 'AS-OUT' })).toEqual([{ list: [], more: 0n, isPartial: false }]);
});
