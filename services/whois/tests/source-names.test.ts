import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createRegistry } from './registry.fixture.js';
import { beginWhois, type RunningWhois, startWhois } from './whois.fixture.js';

// Sources as the world knows them: nothing in a name says that a source is a copy.
const sources = ['TEST', 'RIPE', 'RADB-GRS'];
const env = {
  CADASTRE_GRS_SOURCES: 'RIPE,RADB-GRS',
  CADASTRE_SOURCE_ALIASES: 'SECURE=TEST,RIPE radb=RADB-GRS',
};

const set = (name: string, members: string, source: string) =>
  `as-set: ${name}\nmembers: ${members}\nmnt-by: EXAMPLE-MNT\nsource: ${source}`;
const route = (prefix: string, origin: string, source: string) =>
  `route: ${prefix}\norigin: ${origin}\nmnt-by: EXAMPLE-MNT\nsource: ${source}`;

const registry = createRegistry(sources);
registry.put([set('AS-BOTH', 'AS64500', 'TEST'), set('AS-NAMED', 'RADB::AS-BOTH', 'TEST')].join('\n\n'));
registry.put(
  [
    set('AS-BOTH', 'AS64501', 'RIPE'),
    set('AS-TOP', 'AS-SUB, AS64501', 'RIPE'),
    set('AS-SUB', 'AS64502', 'RIPE'),
    route('192.0.2.0/24', 'AS64501', 'RIPE'),
    route('198.51.100.0/24', 'AS64502', 'RIPE'),
  ].join('\n\n'),
  'RIPE',
);
registry.put([set('AS-BOTH', 'AS64503', 'RADB'), route('203.0.113.0/24', 'AS64502', 'RADB')].join('\n\n'), 'RADB-GRS');

let whois: RunningWhois;
beforeAll(async () => {
  whois = await startWhois(registry, env);
});
afterAll(() => whois.stop());

const data = (text: string) => `A${text.length + 1}\n${text}\nC\n`;
const unavailable = 'F One or more selected sources are unavailable.\n';

describe('an alias stands for its sources', () => {
  test.each<[string, string[], string[]]>([
    ['in their order', ['!ssecure', '!iAS-BOTH', '!iAS-SUB'], ['C\n', data('AS64500'), data('AS64502')]],
    ['and is shown as it was chosen', ['!sRADB,SECURE', '!s-lc'], ['C\n', data('RADB,SECURE')]],
    ['the first source of a list wins', ['!sRADB,SECURE', '!iAS-BOTH'], ['C\n', data('AS64503')]],
    [
      'prefixes come from all',
      ['!sRIPE', '!gAS64502', '!sRADB,SECURE', '!gAS64502'],
      ['C\n', data('198.51.100.0/24'), 'C\n', data('198.51.100.0/24 203.0.113.0/24')],
    ],
    ['not beside an unknown one', ['!sRADB,NOPE', '!s-lc'], [unavailable, data('TEST')]],
    ['in serials', ['!jRADB', '!jSECURE'], [data('RADB-GRS:N:0-2'), data('TEST:N:0-2\nRIPE:N:0-5')]],
    ['in origins of a prefix', ['!sRADB', '!r203.0.113.0/24,o'], ['C\n', data('AS64502')]],
    ['in origins', ['!sSECURE,RADB', '!r203.0.113.0/24,o'], ['C\n', data('AS64502')]],
    ['in objects', ['!sRADB', '!mas-set,AS-BOTH'], ['C\n', data(set('AS-BOTH', 'AS64503', 'RADB'))]],
  ])('%s', async (_what, commands, answers) => {
    expect(await whois.answers(commands)).toEqual(answers);
  });

  test('in the state of sources', async () => {
    const [answer = ''] = await whois.answers(['!JSECURE']);
    expect(JSON.parse(answer.replace(/^A\d+\n/, '').replace(/\nC\n$/, ''))).toEqual({
      SECURE: { source_type: 'alias', aliased_sources: ['TEST', 'RIPE'] },
    });
  });

  test.each([
    ['of commands', ['!sRADB', '!r203.0.113.0/24'], [['RADB-GRS']]],
    ['of queries', ['-k -s SECURE -T as-set AS-BOTH'], [['TEST', 'RIPE']]],
    ['of queries after a choice', ['!sradb,ripe', '-T as-set AS-BOTH'], [['RADB-GRS', 'RIPE']]],
  ])('in searches %s', async (_what, lines, searched) => {
    registry.searched.splice(0);
    await whois.ask(`!!\n${lines.map((line) => `${line}\n`).join('')}!q\n`);
    expect(registry.searched.map((request) => request.sources)).toEqual(searched);
  });
});

describe('sources of routes', () => {
  test.each<[string, string[], string[]]>([
    [
      'alone',
      ['!s-routes:RADB', '!sSECURE', '!a4AS-TOP', '!gAS64502', '!gAS64501'],
      ['C\n', 'C\n', data('203.0.113.0/24'), data('203.0.113.0/24'), 'D\n'],
    ],
    [
      'with those of sets, as an alias',
      ['!sradb-Routes:secure', '!iAS-BOTH', '!gAS64501', '!s-lc'],
      ['C\n', data('AS64503'), data('192.0.2.0/24'), data('RADB')],
    ],
    [
      'until they are chosen again',
      ['!sRIPE-routes:RADB', '!gAS64502', '!s-routes:', '!gAS64502', '!s-lc'],
      ['C\n', data('203.0.113.0/24'), 'C\n', data('198.51.100.0/24'), data('RIPE')],
    ],
    [
      'together with new ones of sets',
      ['!sRIPE-routes:RADB', '!sRADB-routes:', '!gAS64501', '!s-lc'],
      ['C\n', 'C\n', 'D\n', data('RADB')],
    ],
    ['of the set of a source', ['!s-routes:RADB', '!a4RIPE::AS-TOP'], ['C\n', data('203.0.113.0/24')]],
    ['of origins', ['!sRIPE-routes:RADB', '!r203.0.113.0/24,o', '!r192.0.2.0/24,o'], ['C\n', data('AS64502'), 'D\n']],
    ['not of members', ['!sRIPE-routes:RADB', '!iAS-BOTH'], ['C\n', data('AS64501')]],
    [
      'not of objects',
      ['!sRIPE-routes:RADB', '!mroute,192.0.2.0/24AS64501', '!mroute,203.0.113.0/24AS64502'],
      ['C\n', data(route('192.0.2.0/24', 'AS64501', 'RIPE')), 'D\n'],
    ],
    [
      'not beside an unknown one',
      ['!sRIPE-routes:NOPE,RADB', '!s-routes:NOPE', '!sNOPE-routes:RADB', '!sRIPE-routes:-routes:', '!s-lc'],
      [unavailable, unavailable, unavailable, unavailable, data('TEST')],
    ],
    ['not a part of a name', ['!sRIPE-routes', '!s-routes'], [unavailable, unavailable]],
  ])('%s', async (_what, commands, answers) => {
    expect(await whois.answers(commands)).toEqual(answers);
  });

  test('are those of searches of !r, not of !o and queries', async () => {
    registry.searched.splice(0);
    await whois.ask('!!\n!sRIPE-routes:radb\n!r203.0.113.0/24\n!oEXAMPLE-MNT\n-T route 203.0.113.0/24\n!q\n');
    expect(registry.searched.map((request) => request.sources)).toEqual([['RADB-GRS'], ['RIPE'], ['RIPE']]);
  });

  test('alone do not choose sources of queries', async () => {
    registry.searched.splice(0);
    await whois.ask('!!\n!s-routes:RADB\n-T route 203.0.113.0/24\n!q\n');
    expect(registry.searched.map((request) => request.sources)).toEqual([[]]);
  });
});

describe('SOURCE::SET is answered as after !sSOURCE', () => {
  test.each<[string, string]>([
    ['!iRIPE::AS-BOTH', data('AS64501')],
    ['!iripe::as-both', data('AS64501')],
    ['!iRADB::AS-BOTH', data('AS64503')],
    ['!iSECURE::AS-BOTH,1', data('AS64500')],
    ['!iRIPE::AS-TOP', data('AS-SUB AS64501')],
    ['!iRIPE::AS-TOP,1', data('AS64501 AS64502')],
    ['!a4RIPE::AS-TOP', data('192.0.2.0/24 198.51.100.0/24')],
    ['!aSECURE::AS-TOP', data('192.0.2.0/24 198.51.100.0/24')],
    ['!iRIPE::AS-NAMED', 'D\n'],
    ['!iNOPE::AS-BOTH', unavailable],
    ['!a6NOPE::AS-BOTH', unavailable],
    // A member names a source by its alias, too.
    ['!iAS-NAMED,1', data('AS64503')],
  ])('%s', async (command, answer) => {
    expect(await whois.ask(`${command}\n`)).toBe(answer);
  });
});

test('aliases are default sources, too', async () => {
  const running = await beginWhois(registry, { ...env, CADASTRE_WHOIS_SOURCES: 'radb,SECURE' });
  try {
    expect(await running.ask('!s-lc\n')).toBe(data('RADB,SECURE'));
  } finally {
    await running.stop();
  }
});

test.each([
  ['an alias of an unknown source', { CADASTRE_SOURCE_ALIASES: 'A=NOPE' }, 'CADASTRE_SOURCE_ALIASES: A: unknown'],
  [
    'an unknown default source',
    { CADASTRE_WHOIS_SOURCES: 'SECURE,NOPE' },
    'CADASTRE_WHOIS_SOURCES: unknown source NOPE',
  ],
])('%s is refused at the start', async (_what, more, fault) => {
  await expect(beginWhois(registry, { ...env, ...more })).rejects.toThrow(fault);
});
