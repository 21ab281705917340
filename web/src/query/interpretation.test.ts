import { expect, test } from 'vitest';
import { interpret, maxQueryText, type SearchInterpretation, wordsOf } from './interpretation.js';
import { emptyQuestion, type Question } from './question.js';

const read = (text: string, filters: Partial<Question> = {}) => interpret({ ...emptyQuestion, ...filters, text });
const readSearch = (text: string, filters: Partial<Question> = {}) => read(text, filters) as SearchInterpretation;

test.each([
  ['', ''],
  ['192.0.2.77', 'an IPv4 address'],
  [' 192.0.2.0/24 ', 'an IPv4 prefix'],
  ['192.0.2.0 - 192.0.2.255', 'an IPv4 range, 192.0.2.0/24'],
  ['192.0.2.77/24', 'an IPv4 prefix, 192.0.2.0/24, which contains 192.0.2.77'],
  ['192[.]0[.]2[.]77', 'an IPv4 address, 192.0.2.77'],
  ['hxxp://192[.]0[.]2[.]77/a', 'an IPv4 address, 192.0.2.77'],
  ['2001:db8::/32', 'an IPv6 prefix'],
  ['AS64500', 'an AS number'],
  ['64500', 'an AS number, AS64500'],
  ['AS64500 - AS64511', 'a range of AS numbers'],
  ['192.0.2.0/24AS64500', 'a route'],
  ['2.0.192.in-addr.arpa', 'a reverse domain'],
  ['noc@example.net', 'an e-mail address'],
  ['ORG-EX1-TEST', 'an organisation'],
  ['EXAMPLE-MNT', 'a maintainer'],
  ['AS64500:AS-EXAMPLE', 'a set of AS numbers'],
  ['AE1-TEST', 'a contact'],
  ['Wanda Walker', 'a name'],
  ['https://www.example.net/about', 'a host name, www.example.net'],
  ['-i mnt-by EXAMPLE-MNT', 'a maintainer, EXAMPLE-MNT, named in mnt-by'],
  [
    '-rL -T in,rt -K 192.0.2.77',
    'an IPv4 address, 192.0.2.77, only inetnum, route, exact match and all enclosing ranges, without contacts and organisations, without -K, which searches here do not have',
  ],
  ['-r', 'flags without a term, without contacts and organisations'],
  ['::ffff:192.0.2.77', 'an IPv4 address, 192.0.2.77'],
  ['192.000.002.077', 'an IPv4 address, 192.0.2.77'],
  ['192.000.002.077/24', 'an IPv4 prefix, 192.0.2.0/24, which contains 192.0.2.77'],
  ['１９２.0.2.77', 'an IPv4 address, 192.0.2.77'],
  ['AS٦٤٥٠٠', 'an AS number, AS64500'],
  ['We saw attacks from 192.0.2.77 again.', 'an IPv4 address, 192.0.2.77'],
])('%j is understood as %j', (text, what) => {
  expect(readSearch(text).what).toBe(what);
});

test.each([
  ['192.0.2.0/33', '192.0.2.0/33: IPv4 prefixes end at /32'],
  ['2001:db8::/129', '2001:db8::/129: IPv6 prefixes end at /128'],
  ['/33', '/33: a length without an address'],
  ['192.0.2.256', '192.0.2.256: numbers in IPv4 addresses end at 255'],
  ['AS4294967296', 'AS4294967296: AS numbers end at 4294967295'],
  ['+31 20 555 0100', '+31 20 555 0100: objects are not found by telephone numbers'],
  ['🙂', '🙂: has neither letters nor digits'],
])('nothing can answer %j', (text, what) => {
  expect(read(text)).toEqual({ kind: 'none', what });
});

test.each([
  ['-t inetnum', 'inetnum'],
  ['-v rt', 'route'],
  ['--template=ROLE', 'role'],
])('%j is the page of a template', (text, type) => {
  expect(read(text)).toEqual({ kind: 'page', page: `/-/template/${type}` });
});

test('filters and flags of the text apply together, and the texts of searches are plain', () => {
  const filters = { types: ['route'], level: 'exact', flags: ['no-personal'], offset: 50 } as const;
  expect(readSearch('-L -Tin -s OTHER-GRS 192[.]0[.]2[.]77', filters).searches).toEqual([
    {
      ...emptyQuestion,
      text: '192.0.2.77',
      types: ['inetnum', 'route'],
      source: 'OTHER-GRS',
      level: 'all-less',
      flags: ['no-personal'],
      offset: 50,
    },
  ]);
});

test('a mailbox is first that of abuse contacts, then any, unless the question specifies it', () => {
  const inverses = (filters = {}) => readSearch('abuse@example.net', filters).searches.map(({ inverse }) => inverse);
  expect(inverses()).toEqual([['abuse-mailbox'], []]);
  expect(inverses({ inverse: ['notify'] })).toEqual([['notify']]);
});

test.each([
  ['192.0.2.77', {}, true],
  ['AS64500', {}, true],
  ['AS64500', { inverse: ['origin'] }, false],
  ['AS64500', { by: 'words' }, false],
  ['EXAMPLE-MNT', {}, false],
] as const)('%j with %j requests a resource: %j', (text, filters, isResource) => {
  expect(readSearch(text, filters).resource !== undefined).toBe(isResource);
});

test('a URL of a page is the page', () => {
  const page = '/-/object/TEST/mntner/A-MNT';
  expect(read(`https://localhost:8443${page}`)).toEqual({ kind: 'page', page });
});

test.each([
  ['192.0.2.1 192.0.2.2\n2001:db8::1', '3 addresses, prefixes or AS numbers'],
  ['192.0.2.1, AS64500', '2 addresses, prefixes or AS numbers'],
  ['x'.repeat(maxQueryText + 1), 'a text of 1,001 characters'],
  ['word '.repeat(61), 'a text of 61 words'],
  ['192.0.2.1 '.repeat(2000), 'a text of 19,999 characters'],
])('a list or a long text is for bulk lookup', (text, what) => {
  expect(read(text)).toEqual({ kind: 'bulk', what });
});

test.each(['192.0.2.1 - 192.0.2.9', '192.0.2.0 255.255.255.0', 'AS64500 - AS64511', 'Example 64500', '1 2 three'])(
  '%j is one question',
  (text) => {
    expect(read(text).kind).toBe('search');
  },
);

test.each([
  [{}, true],
  [{ asOf: '2026-01-01' }, false],
  [{ inverse: ['mnt-by'] }, false],
])('a question with %j can be searched by words: %j', (filters, can) => {
  const question = { ...emptyQuestion, text: 'Example', types: ['inetnum'], flags: ['no-referenced'], ...filters };
  const words = { ...emptyQuestion, text: 'Example', types: ['inetnum'], by: 'words' };
  expect(wordsOf(question)).toEqual(can ? words : undefined);
});
