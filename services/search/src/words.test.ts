import { parseObject, type RpslObject } from '@cadastre/rpsl';
import { describe, expect, test } from 'vitest';
import { foldText, matchedAttributes, nameOf, splitWords, titleOf, wordsOf } from './words.js';

function objectOf(text: string): RpslObject {
  const parsed = parseObject(text);
  if (!parsed.ok) throw new Error('not an object');
  return parsed.object;
}

const network = objectOf(
  'inetnum: 192.0.2.0 - 192.0.2.255\nnetname: EXAMPLE-NET\ndescr: Example  Café # comment\ncountry: NL\nadmin-c: AE1-TEST\n' +
    'remarks: cafe on the example street\nnotify: hidden@example.org\nmnt-by: EXAMPLE-MNT\nsource: TEST\n',
);
const organisation = objectOf(
  'organisation: ORG-EX1-TEST\norg-name: Example Ltd\naddress: 1 Main Street\naddress: Dublin\ne-mail: secret@example.org\n' +
    'mnt-ref: OTHER-MNT\nsource: TEST\n',
);
const desk = objectOf(
  'role: Abuse Desk\naddress: Dublin\ne-mail: secret@example.org\nnic-hdl: AD1-TEST\nabuse-mailbox: abuse@example.net\nsource: TEST\n',
);
const contact = objectOf('role: Jane Doe\naddress: Dublin\nremarks: home\nnic-hdl: JD1-TEST\nsource: TEST\n');
const person = objectOf('person: Jane Doe\naddress: Dublin\nremarks: home\nnic-hdl: JD2-TEST\nsource: TEST-GRS\n');
const mntner = objectOf(
  'mntner: EXAMPLE-MNT\ndescr: Maintainer\nupd-to: secret@example.org\nauth: SSO secret@example.org\nsource: TEST\n',
);

describe('words', () => {
  test.each<[string, RpslObject, Record<string, number>]>([
    ['the best rank of each', network, { example: 0, net: 0, cafe: 1, on: 2, the: 2, street: 2 }],
    ['a name and an address', organisation, { example: 0, ltd: 0, main: 2, street: 2, dublin: 2 }],
    ['a role with abuse-mailbox', desk, { abuse: 0, desk: 0, dublin: 2 }],
    ['a key made of words', mntner, { example: 0, mnt: 0, maintainer: 1 }],
    ['a role without abuse-mailbox', contact, {}],
    ['a person, of any source', person, {}],
    ['a reverse domain', objectOf('domain: 2.0.192.in-addr.arpa\ndescr: Zone\n'), { zone: 1 }],
  ])('%s', (_what, object, words) => {
    expect(Object.fromEntries(wordsOf(object))).toEqual(words);
  });

  test('of a very long object the first 200 count', () => {
    const remarks = Array.from({ length: 1_000 }, (_, n) => `word${n}`).join(' ');
    const words = wordsOf(objectOf(`mntner: EXAMPLE-MNT\nremarks: ${remarks}\n`));
    expect(words.size).toBe(200);
    expect([words.get('mnt'), words.get('word197'), words.get('word198')]).toEqual([0, 2, undefined]);
  });
});

test.each<[RpslObject, string | undefined, string | undefined]>([
  [network, 'example-net', 'EXAMPLE-NET'],
  [organisation, 'example ltd', 'Example Ltd'],
  [desk, 'abuse desk', 'Abuse Desk'],
  [mntner, undefined, 'Maintainer'],
  [contact, undefined, undefined],
  [person, undefined, undefined],
  [objectOf('aut-num: AS64496\nas-name: Café-AS\ndescr: x\n'), 'cafe-as', 'Café-AS'],
  [objectOf('route: 192.0.2.0/24\norigin: AS64496\n'), undefined, undefined],
])('the name and the title of %#', (object, name, title) => {
  expect([nameOf(object), titleOf(object)]).toEqual([name, title]);
});

describe('attributes with words of a query', () => {
  test.each<[string, RpslObject, string[], string[]]>([
    [
      'in their order, without comments',
      network,
      ['cafe', 'net'],
      ['netname: EXAMPLE-NET', 'descr: Example Café', 'remarks: cafe on the example street'],
    ],
    ['whole words only', network, ['caf'], []],
    ['nothing that lookups hide', mntner, ['secret', 'sso'], []],
    ['nothing of persons', person, ['jane', 'dublin'], []],
    ['a key made of words', mntner, ['mnt'], ['mntner: EXAMPLE-MNT']],
    [
      'at most three',
      objectOf(`mntner: X-MNT\n${'remarks: more\n'.repeat(5)}`),
      ['more'],
      Array(3).fill('remarks: more'),
    ],
  ])('%s', (_what, object, words, lines) => {
    expect(matchedAttributes(object, new Set(words)).map(({ name, value }) => `${name}: ${value}`)).toEqual(lines);
  });

  test('of a long value the part around the word', () => {
    const object = objectOf(`mntner: X-MNT\nremarks: ${'before '.repeat(100)}Here ${'after '.repeat(100)}\n`);
    const [match] = matchedAttributes(object, new Set(['here']));
    expect(match!.value.length).toBeLessThanOrEqual(200);
    expect(match!.value).toContain('before Here after');
  });
});

test.each([
  ['EXAMPLE-NET_1', ['example', 'net']],
  ['AS64496:AS-Customers', ['as64496', 'as', 'customers']],
  ['Café "Ångström" Straße, København', ['cafe', 'angstrom', 'strasse', 'kobenhavn']],
  ['A/S B.V. 3 24h', ['24h']],
  ["O'Neill & Søn   (noc@example.net)", ['neill', 'son', 'noc', 'example', 'net']],
  [`a${'b'.repeat(100)}`, [`a${'b'.repeat(63)}`]],
  ['again Again', ['again', 'again']],
  ['--- # ☃ Ελλάδα', []],
  ['', []],
])('%j has the words %j', (text, words) => {
  expect(splitWords(text)).toEqual(words);
});

test('letter case and accents do not matter, other characters do', () => {
  expect(foldText('Ærø-Net ÞÐ')).toBe('aero-net thd');
});
