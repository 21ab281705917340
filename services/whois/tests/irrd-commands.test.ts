import { MirrorState, OriginKind } from '@cadastre/proto/mirror';
import { packageVersion, ServiceError } from '@cadastre/service';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Backends } from '../src/context.js';
import { createRegistry, type Registry } from './registry.fixture.js';
import { type RunningWhois, startWhois } from './whois.fixture.js';

const objects = `
aut-num:        AS64500
mnt-by:         EXAMPLE-MNT
source:         TEST

aut-num:        AS64501
member-of:      AS-REF
mnt-by:         EXAMPLE-MNT
source:         TEST

aut-num:        AS64502
member-of:      AS-REF, AS-ANY
mnt-by:         OTHER-MNT
source:         TEST

route:          192.0.2.0/24
descr:          Ünïcode
origin:         AS64500
mnt-by:         EXAMPLE-MNT
source:         TEST

route:          192.0.2.0/25
origin:         AS64500
mnt-by:         EXAMPLE-MNT
source:         TEST

route:          192.0.2.0/24
origin:         AS64501
member-of:      RS-REF
mnt-by:         EXAMPLE-MNT
source:         TEST

route:          192.0.0.0/16
origin:         AS64501
mnt-by:         EXAMPLE-MNT
source:         TEST

route:          203.0.113.0/24
origin:         AS64505
mnt-by:         EXAMPLE-MNT
source:         TEST-NONAUTH

route6:         2001:db8::/32
origin:         AS64500
mnt-by:         EXAMPLE-MNT
source:         TEST

route6:         2001:db8:0:1::/64
origin:         AS64501
mnt-by:         EXAMPLE-MNT
source:         TEST

as-set:         AS-EX
members:        AS64500, as64501, AS-LOOP, AS-GONE
mnt-by:         EXAMPLE-MNT
source:         TEST

as-set:         AS-LOOP
members:        AS-EX, AS64502, AS-LOOP
mnt-by:         EXAMPLE-MNT
source:         TEST

as-set:         AS64500:AS-CUST
members:        AS64501
mnt-by:         EXAMPLE-MNT
source:         TEST

as-set:         AS-REF
members:        AS64500
mbrs-by-ref:    EXAMPLE-MNT
mnt-by:         EXAMPLE-MNT
source:         TEST

as-set:         AS-ANY
mbrs-by-ref:    ANY
mnt-by:         EXAMPLE-MNT
source:         TEST

as-set:         AS-ELSEWHERE
members:        OTHER-GRS::AS-EX, AS64500
mnt-by:         EXAMPLE-MNT
source:         TEST

route-set:      RS-EX
members:        192.0.2.0/24^+, AS64500^-, AS64500:AS-CUST, RS-MORE
mp-members:     2001:DB8::/32
mnt-by:         EXAMPLE-MNT
source:         TEST

route-set:      RS-MORE
members:        198.51.100.0/24
mnt-by:         EXAMPLE-MNT
source:         TEST

route-set:      RS-REF
mbrs-by-ref:    EXAMPLE-MNT
mnt-by:         EXAMPLE-MNT
source:         TEST

person:         Alice Example
nic-hdl:        AE1-TEST
mnt-by:         EXAMPLE-MNT
source:         TEST
`;

const mirrored = `
as-set:         AS-EX
members:        AS64510
mnt-by:         MIRROR-MNT
source:         OTHER

route:          198.51.100.0/24
origin:         AS64510
mnt-by:         MIRROR-MNT
source:         OTHER

route:          192.0.2.0/24
origin:         AS64500
mnt-by:         MIRROR-MNT
source:         OTHER
`;

let registry: Registry;
let whois: RunningWhois;

beforeAll(async () => {
  registry = createRegistry(['TEST', 'OTHER-GRS']);
  registry.put(objects);
  registry.put(mirrored, 'OTHER-GRS');
  whois = await startWhois(registry, { CADASTRE_GRS_SOURCES: 'OTHER-GRS' });
});
afterAll(() => whois.stop());

/** Data in IRRd's frame: the length includes the line end. */
const data = (text: string) => `A${text.length + 1}\n${text}\nC\n`;

const route1 =
  'route:          192.0.2.0/24\ndescr:          \u00dcn\u00efcode\norigin:         AS64500\nmnt-by:         EXAMPLE-MNT\nsource:         TEST';
const route2 =
  'route:          192.0.2.0/24\norigin:         AS64501\nmember-of:      RS-REF\nmnt-by:         EXAMPLE-MNT\nsource:         TEST';
const longer =
  'route:          192.0.2.0/25\norigin:         AS64500\nmnt-by:         EXAMPLE-MNT\nsource:         TEST';
const shorter =
  'route:          192.0.0.0/16\norigin:         AS64501\nmnt-by:         EXAMPLE-MNT\nsource:         TEST';
const autNum = 'aut-num:        AS64500\nmnt-by:         EXAMPLE-MNT\nsource:         TEST';

// The answers of IRRd 4.5.4 to the same commands, except for its version.
describe('commands are answered byte for byte as by IRRd', () => {
  test.each<[string, string]>([
    ['!v', data(`IRRd -- version 4.5 (Cadastre ${packageVersion(import.meta.url)})`)],
    ['!t30', 'C\n'],
    ['!t1000', 'C\n'],
    ['!t0', 'F Invalid value for timeout: 0\n'],
    ['!t1001', 'F Invalid value for timeout: 1001\n'],
    ['!tsoon', 'F Invalid value for timeout: soon\n'],
    ['!nbgpq4 1.9', 'C\n'],
    ['!n', 'F Missing parameter for n query\n'],
    ['!s-lc', data('TEST')],
    ['!s-*', 'C\n'],
    ['!sTEST', 'C\n'],
    ['!sNOPE', 'F One or more selected sources are unavailable.\n'],
    ['!s', 'F Missing parameter for s query\n'],
    ['!gAS64500', data('192.0.2.0/24 192.0.2.0/25')],
    ['!gas64500', data('192.0.2.0/24 192.0.2.0/25')],
    ['!gAS64501', data('192.0.0.0/16 192.0.2.0/24')],
    ['!gAS64505', 'D\n'],
    ['!g1', 'F Invalid AS number 1: must start with "AS"\n'],
    ['!gASX', 'F Invalid AS number ASX: number part is not numeric\n'],
    ['!gAS4294967296', 'F Invalid AS number AS4294967296: valid range is 0-4294967295\n'],
    ['!g', 'F Missing parameter for g query\n'],
    ['!6AS64500', data('2001:db8::/32')],
    ['!6as64501', data('2001:db8:0:1::/64')],
    ['!6AS64502', 'D\n'],
    ['!a', 'F Missing required set name for A query\n'],
    ['!a4', 'F Missing required set name for A query\n'],
    ['!a4AS-EX', data('192.0.0.0/16 192.0.2.0/24 192.0.2.0/25')],
    ['!a6AS-EX', data('2001:db8::/32 2001:db8:0:1::/64')],
    ['!aas-ex', data('192.0.0.0/16 192.0.2.0/24 192.0.2.0/25 2001:db8::/32 2001:db8:0:1::/64')],
    ['!aAS-GONE', 'D\n'],
    ['!aRS-EX', 'D\n'],
    ['!iAS-EX', data('AS-GONE AS-LOOP AS64500 AS64501')],
    ['!iAS-EX,1', data('AS64500 AS64501 AS64502')],
    ['!iAS-LOOP', data('AS-EX AS64502')],
    ['!iAS64500:AS-CUST', data('AS64501')],
    ['!iAS-REF', data('AS64500 AS64501')],
    ['!iAS-REF,1', data('AS64500 AS64501')],
    ['!iAS-ANY', data('AS64502')],
    ['!iAS-GONE', 'D\n'],
    ['!iAS-GONE,1', 'D\n'],
    ['!irs-ex', data('192.0.2.0/24^+ 2001:db8::/32 AS64500:AS-CUST AS64500^- RS-MORE')],
    [
      '!iRS-EX,1',
      data(
        '192.0.0.0/16 192.0.2.0/24 192.0.2.0/24^+ 192.0.2.0/24^- 192.0.2.0/25^- 198.51.100.0/24 2001:db8:0:1::/64 2001:db8::/32 2001:db8::/32^-',
      ),
    ],
    ['!iRS-REF,1', data('192.0.2.0/24')],
    ['!i', 'F Missing parameter for i query\n'],
    ['!maut-num,AS64500', data(autNum)],
    ['!man,as64500', data(autNum)],
    ['!mroute,192.0.2.0/24AS64500', data(route1)],
    ['!mrt,192.0.2.0/24 AS64500', data(route1)],
    ['!mroute,192.0.2.0/24-AS64500', data(route1)],
    ['!maut-num', 'F Invalid argument for object lookup: aut-num\n'],
    ['!maut-num,AS1', 'D\n'],
    ['!mnothing,AS1', 'D\n'],
    ['!mperson,AE1-TEST', 'D\n'],
    [
      '!oOTHER-MNT',
      data('aut-num:        AS64502\nmember-of:      AS-REF, AS-ANY\nmnt-by:         OTHER-MNT\nsource:         TEST'),
    ],
    ['!oGONE-MNT', 'D\n'],
    ['!r192.0.2.0/24', data(`${route1}\n\n${route2}`)],
    ['!r192.0.2.0/24,o', data('AS64500 AS64501')],
    ['!r192.0.2.0/24,l', data(shorter)],
    ['!r192.0.2.0/25,L', data(`${route1}\n\n${longer}\n\n${route2}\n\n${shorter}`)],
    ['!r192.0.2.0/24,M', data(longer)],
    ['!r10.0.0.0/8', 'D\n'],
    ['!r192.0.2.0/24,x', 'F Invalid route search option: x\n'],
    ['!rwhat', 'F Invalid input for route search: what\n'],
    ['!j-*', data('TEST:N:0-20\nTEST-NONAUTH:N:0-20\nOTHER-GRS:N:0-3')],
    ['!jNOPE,TEST', data('TEST:N:0-20\nNOPE:X:Database unknown')],
    ['!JNOPE', data('{\n    "NOPE": {\n        "error": "Unknown source"\n    }\n}')],
    ['!e', 'C\n'],
    ['!eAS-LOOP', 'C\n'],
    ['!e-lc', 'C\n'],
    [
      '!fno-rpki-filter',
      data('Filtering out RPKI invalids is disabled for !r and RIPE style queries for the rest of this connection.'),
    ],
    ['!z', 'F Unrecognised command: z\n'],
    ['!fnothing', 'F Unrecognised command: f\n'],
    ['!', 'F Missing IRRD command\n'],
    ['!gAS1\0', 'F Queries may not contain null bytes\n'],
    ['-V client-1.0 !gAS64500', data('192.0.2.0/24 192.0.2.0/25')],
  ])('%s', async (command, answer) => {
    expect(await whois.ask(`${command}\r\n`)).toBe(answer);
  });
});

test('origins come from the set index, by the sources of the connection, and need no search', async () => {
  const before = registry.searched.length;
  const commands = ['!r192.0.2.0/24,o', '!r192.0.2.0/26,o', '!r2001:DB8::/32,o', '!r203.0.113.0/24,o', '!r192.0.2.1,o'];
  expect(await whois.answers([...commands, '!sTEST-NONAUTH,OTHER-GRS', ...commands])).toEqual([
    ...[data('AS64500 AS64501'), 'D\n', data('AS64500'), 'D\n', 'D\n', 'C\n'],
    ...[data('AS64500'), 'D\n', 'D\n', data('AS64505'), 'D\n'],
  ]);
  expect(registry.searched.length).toBe(before);
});

test('origins of thousands of prefixes wait for no rate of searches', async () => {
  const own = createRegistry();
  own.put(objects);
  const limited = await startWhois(own, { CADASTRE_LIMITS: '127.0.0.0/8 queries=5 searches=1' });
  try {
    const answers = await limited.ask(`!!\n${'!r192.0.2.0/24,o\n'.repeat(5_000)}!q\n`);
    expect(answers).toBe(data('AS64500 AS64501').repeat(5_000));
  } finally {
    await limited.stop();
  }
});

test('!J describes a source', async () => {
  const answer = await whois.ask('!JTEST\n');
  const text = answer.replace(/^A\d+\n/, '').replace(/\nC\n$/, '');
  expect(JSON.parse(text)).toMatchObject({ TEST: { authoritative: true, serial_newest_mirror: 20 } });
});

test('!J has the sessions of NRTMv4, the classes of copies and the serial of the last export, as far as the mirror service knows', async () => {
  const mirrors: NonNullable<Backends['mirrors']> = {
    listMirrors: async () => ({
      mirrors: [
        {
          ...{ source: 'OTHER-GRS', kind: OriginKind.ORIGIN_KIND_NRTM4, origin: '', originSource: 'OTHER' },
          ...{ state: MirrorState.MIRROR_STATE_CURRENT, sessionId: 'b7b1', version: 12n, checkedAt: undefined },
          ...{ changedAt: undefined, staleSince: undefined, failedAt: undefined, error: '', counts: undefined },
          ...{ ownNetwork: false, warnings: [], classes: ['as-set', 'route'] },
        },
      ],
    }),
    listPublications: async () => ({
      publications: [
        {
          ...{ source: 'TEST', sessionId: 'ca12', version: 7n, serial: 19n, snapshotVersion: 5n },
          ...{ sessionBeganAt: undefined, versionPublishedAt: undefined, snapshotPublishedAt: undefined },
          ...{ notifiedAt: undefined, keyFingerprint: '', nextKeyFingerprint: '', failedAt: undefined, error: '' },
        },
      ],
    }),
  };
  const described = async (client: NonNullable<Backends['mirrors']>) => {
    const env = { CADASTRE_GRS_SOURCES: 'OTHER-GRS' };
    const running = await startWhois({ backends: { ...registry.backends, mirrors: client } }, env);
    try {
      const answer = await running.ask('!J-*\n');
      return JSON.parse(answer.replace(/^A\d+\n/, '').replace(/\nC\n$/, ''));
    } finally {
      await running.stop();
    }
  };
  const unknown = {
    ...{ object_class_filter: null, serial_last_export: null },
    ...{ nrtm4_client_session_id: null, nrtm4_client_version: null },
    ...{ nrtm4_server_session_id: null, nrtm4_server_version: null },
  };
  expect(await described(mirrors)).toMatchObject({
    TEST: { ...unknown, serial_last_export: 19, nrtm4_server_session_id: 'ca12', nrtm4_server_version: 7 },
    'TEST-NONAUTH': unknown,
    'OTHER-GRS': {
      ...{ ...unknown, object_class_filter: ['as-set', 'route'] },
      ...{ nrtm4_client_session_id: 'b7b1', nrtm4_client_version: 12 },
    },
  });
  const away = async () => {
    throw new ServiceError('unavailable', 'away');
  };
  const withoutAnswer = await described({ listMirrors: away, listPublications: away });
  expect(withoutAnswer).toMatchObject({ TEST: { ...unknown, serial_newest_mirror: 20 }, 'OTHER-GRS': unknown });
});

describe('a connection keeps what it has chosen', () => {
  test.each<[string, string[], string[]]>([
    [
      'sources, in their order',
      ['!sOTHER-GRS,TEST', '!s-lc', '!iAS-EX'],
      ['C\n', data('OTHER-GRS,TEST'), data('AS64510')],
    ],
    ['the first source with a set wins', ['!sTEST,OTHER-GRS', '!iAS-EX,1'], ['C\n', data('AS64500 AS64501 AS64502')]],
    [
      'prefixes come from all sources, each once',
      ['!sTEST,OTHER-GRS', '!gAS64500'],
      ['C\n', data('192.0.2.0/24 192.0.2.0/25')],
    ],
    [
      'its non-authoritative part is a source',
      ['!stest-nonauth', '!gAS64505', '!gAS64500'],
      ['C\n', data('203.0.113.0/24'), 'D\n'],
    ],
    [
      'unknown sources change nothing',
      ['!sNOPE', '!s-lc'],
      ['F One or more selected sources are unavailable.\n', data('TEST')],
    ],
    [
      'an excluded set is not expanded',
      ['!eAS-LOOP', '!iAS-EX,1', '!e-lc'],
      ['C\n', data('AS64500 AS64501'), data('AS-LOOP')],
    ],
    ['unless it is asked for', ['!eas-loop', '!iAS-LOOP,1'], ['C\n', data('AS64500 AS64501 AS64502')]],
    ['until this ends', ['!eAS-LOOP', '!e', '!iAS-EX,1'], ['C\n', 'C\n', data('AS64500 AS64501 AS64502')]],
  ])('%s', async (_what, commands, answers) => {
    expect(await whois.answers(commands)).toEqual(answers);
  });
});

test('the set of another source is found by its full name', async () => {
  expect(await whois.answers(['!iAS-ELSEWHERE,1', '!iother-grs::AS-EX', '!aTEST::AS64500:AS-CUST'])).toEqual([
    data('AS64500 AS64510'),
    data('AS64510'),
    data('192.0.0.0/16 192.0.2.0/24 2001:db8:0:1::/64'),
  ]);
});

test('a search that fails closes the connection without an answer', async () => {
  const broken = createRegistry();
  broken.put(objects);
  broken.breakSearches();
  const whoisOfBroken = await startWhois(broken);
  try {
    expect(await whoisOfBroken.ask('!!\n!nclient\n!r192.0.2.0/24\n!v\n')).toBe('C\n');
  } finally {
    await whoisOfBroken.stop();
  }
});

test('the lookups of all connections share few calls', async () => {
  const many = createRegistry();
  many.put(objects);
  const { reader } = many.backends;
  const counts = { running: 0, most: 0 };
  const batchLookup: typeof reader.batchLookup = async (request, options) => {
    counts.most = Math.max(counts.most, ++counts.running);
    try {
      await new Promise((resolve) => setImmediate(resolve));
      return await reader.batchLookup(request, options);
    } finally {
      counts.running--;
    }
  };
  const sharing = await startWhois({ backends: { ...many.backends, reader: { ...reader, batchLookup } } });
  try {
    const answers = await Promise.all(Array.from({ length: 200 }, () => sharing.ask('!mroute,192.0.2.0/25AS64500\n')));
    for (const answer of answers) expect(answer).toMatch(/^A\d+\nroute: +192\.0\.2\.0\/25$/m);
    expect(counts.most).toBeLessThanOrEqual(4);
  } finally {
    await sharing.stop();
  }
});
