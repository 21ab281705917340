import { formatMessage } from '@cadastre/service';
import { describe, expect, test } from 'vitest';
import { type LineQuestion, parseLine } from './parse-line.js';
import { queryMessages } from './query-messages.js';

function question(line: string): LineQuestion {
  const { question: requested } = parseLine(line);
  if (!requested.ok) throw new Error(requested.messages.map(formatMessage).join());
  return requested.value;
}

/** The first line of each message. */
function refusal(line: string): string[] {
  const { question: requested } = parseLine(line);
  return requested.ok ? [] : requested.messages.map((message) => formatMessage(message).split('\n')[0]!);
}

/** A search as one text: query, what restricts it, flags. */
function search(line: string): string {
  const requested = question(line);
  if (requested.kind !== 'search') return requested.kind;
  const { query, sources, types, inverseAttributes, flags } = requested.request;
  const lists = { sources, types, inverse: inverseAttributes, flags };
  const shown = Object.entries(lists).flatMap(([name, values]) => (values.length > 0 ? `${name}=${values}` : []));
  const form = requested.form === 'full' ? [] : [requested.form];
  return [query, ...shown, ...form, ...(requested.allSources ? ['all'] : [])].join(' ');
}

const resources = 'inetnum,inet6num,aut-num';
const onlyContacts = 'irt,no-grouping,no-referenced';

describe('a search', () => {
  test.each([
    ['AS64500', 'AS64500'],
    ['as64500', 'as64500'],
    ['-r -T aut-num as64500', 'as64500 types=aut-num flags=no-referenced'],
    ['as64500 -r -T aut-num', 'as64500 types=aut-num flags=no-referenced'],
    ['-B -r -x Alice example', 'Alice example flags=no-filtering,no-referenced,exact'],
    ['-Brx 192.0.2.0/24', '192.0.2.0/24 flags=no-filtering,no-referenced,exact'],
    ['-T route6,route -M 2001:db8::/32', '2001:db8::/32 types=route6,route flags=all-more'],
    ['-Troute -Tr6 192.0.2.0/24', '192.0.2.0/24 types=route,route6'],
    ['-rTroute 192.0.2.0/24', '192.0.2.0/24 types=route flags=no-referenced'],
    ['192.0.2.0 - 192.0.2.255', '192.0.2.0 - 192.0.2.255'],
    ['  192.0.2.0   -\t192.0.2.255 ', '192.0.2.0 - 192.0.2.255'],
    ['-i mnt-by,ml EXAMPLE-MNT', 'EXAMPLE-MNT inverse=mnt-by,ml'],
    ['-i origin, -i mb AS64500', 'AS64500 inverse=origin,mb'],
    ['-s EXAMPLE,OTHER-GRS AS64500', 'AS64500 sources=EXAMPLE,OTHER-GRS'],
    ['--sources=EXAMPLE --select-types aut-num AS64500', 'AS64500 sources=EXAMPLE types=aut-num'],
    ['--no-referenced --exact 10/8', '10/8 flags=no-referenced,exact'],
    ['-a AS64500', 'AS64500 all'],
    ['-R 2.0.192.in-addr.arpa', '2.0.192.in-addr.arpa'],
    ['-rR 2.0.192.in-addr.arpa', '2.0.192.in-addr.arpa flags=no-referenced'],
    ['-V Md5.5.17 -k AS64500', 'AS64500'],
    ['-- AS64500', 'AS64500'],
    ['-r -- -G AS64500', '-G AS64500 flags=no-referenced'],
    ['-F AS64500', 'AS64500 flags=no-referenced brief'],
    ['-K -r -i origin AS64500', 'AS64500 inverse=origin flags=no-referenced keys'],
    [
      '-b -d 2.0.192.in-addr.arpa',
      `2.0.192.in-addr.arpa types=inetnum,inet6num flags=reverse-domain,${onlyContacts} abuse-contacts`,
    ],
    ['-K -T person,aut-num,mntner EXAMPLE', 'EXAMPLE types=aut-num,mntner flags=no-referenced keys'],
    ['-b 192.0.2.1', `192.0.2.1 types=${resources} flags=${onlyContacts} abuse-contacts`],
    ['-b -T in AS64500', `AS64500 types=inetnum flags=${onlyContacts} abuse-contacts`],
    ['help -r', 'help flags=no-referenced'],
  ])('%s', (line, expected) => {
    expect(search(line)).toBe(expected);
  });

  test.each([
    ['Jos\u00e9', false],
    ['\u0141ukasz', true],
    ['a\u00a0b', true],
  ])('%s says whether latin-1 has all its characters', (line, isConverted) => {
    expect(question(line)).toMatchObject({ isConverted });
  });
});

describe('another question', () => {
  test.each<[string, LineQuestion]>([
    ['-k', { kind: 'nothing' }],
    ['-k -V tag', { kind: 'nothing' }],
    ['help', { kind: 'help' }],
    ['HELP', { kind: 'help' }],
    ['-q sources', { kind: 'information', about: 'sources' }],
    ['--list-sources', { kind: 'information', about: 'sources' }],
    ['-qversion', { kind: 'information', about: 'version' }],
    ['--types', { kind: 'information', about: 'types' }],
    ['-t route', { kind: 'template', type: 'route', verbose: false }],
    ['-v PN', { kind: 'template', type: 'person', verbose: true }],
    ['-v person -t *rt', { kind: 'template', type: 'route', verbose: false }],
    ['--list-sources -q version -t person', { kind: 'information', about: 'version' }],
    ['--list-versions AS64500', { kind: 'versions', key: 'AS64500', types: new Set(), choice: { kind: 'list' } }],
    [
      '--show-version 2 -T in 192.0.2.0 - 192.0.2.255',
      {
        ...{ kind: 'versions', key: '192.0.2.0 - 192.0.2.255', types: new Set(['inetnum']) },
        choice: { kind: 'show', revision: 2 },
      },
    ],
    [
      '--diff-versions 3:1 AS64500',
      { kind: 'versions', key: 'AS64500', types: new Set(), choice: { kind: 'difference', before: 3, after: 1 } },
    ],
  ])('%s', (line, expected) => {
    expect(question(line)).toEqual(expected);
  });
});

describe('a line that cannot be answered', () => {
  const invalid = 'ERROR:111: invalid option supplied';
  const combination = 'ERROR:109: invalid combination of flags passed';
  const noKey = 'ERROR:106: no search key specified';
  const invalidKey = 'ERROR:115: invalid search key';
  test.each([
    ['', [noKey]],
    ['-r', [noKey]],
    ['-T person', [noKey, invalidKey]],
    ['-T domain', [noKey]],
    ['-i mnt-by', [noKey]],
    ['-y AS64500', [invalid]],
    ['--help', ['Invalid option: --help']],
    ['-help', [invalid]],
    ['-y AS64500 --help', ['Invalid option: --help']],
    ['-T nothing -- --help', ['Invalid option: --help']],
    ['-types', ['Invalid option: -types']],
    ['--Exact AS64500', [invalid]],
    ['192.0.2.0 -192.0.2.9', [invalid]],
    ['--nothing AS64500', ['Invalid option: --nothing']],
    ['AS64500 -T', ['-T, --select-types needs a value']],
    ['-T -r AS64500', ['--select-types has a flag argument']],
    ['-t route -t person', ['ERROR:110: multiple use of flag']],
    ['-t route -T nothing', ["ERROR:103: unknown object type 'nothing'"]],
    ['-t route,person', ["ERROR:103: unknown object type 'route,person'"]],
    ['-V a -V b AS64500', ['ERROR:110: multiple use of flag']],
    ['-V a,b AS64500', [invalid]],
    ['-V a,192.0.2.1,c AS64500', [invalid]],
    ['-Z klingon AS64500', ['Invalid character set klingon']],
    ['-T nothing AS64500', ["ERROR:103: unknown object type 'nothing'"]],
    ['-t nothing', ["ERROR:103: unknown object type 'nothing'"]],
    ['-q nothing', ['Invalid option: nothing']],
    ['-l -L 192.0.2.0/24', ['ERROR:901: duplicate IP flags passed']],
    ['-b -r 192.0.2.0/24', [combination]],
    ['-b -F 192.0.2.0/24', [combination]],
    ['--resource -a 192.0.2.0/24', [combination]],
    ['--resource -s EXAMPLE 192.0.2.0/24', [combination]],
    ['--valid-syntax --list-versions AS64500', [combination]],
    ['--list-versions -r AS64500', [combination]],
    ['--list-versions --show-version 1 AS64500', [combination]],
    ['-b EXAMPLE-MNT', [invalid]],
    ['-b', [invalid, noKey, invalidKey]],
    ['-b -r EXAMPLE-MNT', [invalid, combination]],
    ['-b 4.192.1.in-addr.arpa', [invalid, invalidKey]],
    ['-b AS64500 - AS64501', [invalid, invalidKey]],
    ['-b -T route 192.0.2.0/24', [invalidKey]],
    ['-b 192.0.2.0/24AS64500', [invalidKey]],
    ['-T person 192.0.2.1', [invalidKey]],
    ['-b -r -M 0/0', ['ERROR:112: unsupported query', combination]],
    ['-V a,b -b -r Alice Example', [invalid, combination, invalidKey]],
    ['-V a -V b -b Alice Example', ['ERROR:110: multiple use of flag']],
    ['-T nothing -i nothing -x -L 10/8', ["ERROR:103: unknown object type 'nothing'"]],
    ['-i nothing -x -L 10/8', ['ERROR:104: unknown attribute']],
    ['-x -L -b EXAMPLE-MNT', ['ERROR:901: duplicate IP flags passed']],
    ['-Z klingon -b EXAMPLE-MNT', [invalid]],
    ['-i mnt-by md5-pw x', ["Inverse search on 'auth' attribute is limited to 'key-cert' objects only"]],
    [`-T nothing ${'a '.repeat(61)}`, ['ERROR:118: too many arguments supplied']],
    ['--show-version x AS64500', [invalid]],
    ['--show-version 0 AS64500', [invalid]],
    ['--diff-versions 1 AS64500', ['diff versions must be in the format a:b']],
    ['--diff-versions a:1 AS64500', ['diff version must be a number']],
    ['--diff-versions 0:1 AS64500', ['diff version number must be greater than 0']],
    ['--diff-versions 2:2 AS64500', ['diff versions are the same']],
  ])('%j', (line, messages) => {
    expect(refusal(line)).toEqual(messages);
  });
});

describe('the message about a repeated flag names it as it was repeated', () => {
  test.each([
    ['-t person -t role', '-t'],
    ['-t person --template role', '--template'],
    ['--template person --template role', '--template'],
    ['-q types -q types', '-q'],
    ['--show-version 1 --show-version 2 AS64500', '--show-version'],
  ])('%s: %s', (line, shown) => {
    expect(parseLine(line).question).toEqual({ ok: false, messages: [queryMessages.repeatedFlag(shown)] });
  });
});

describe('a search that finds nothing in any source', () => {
  test.each([
    ['-i , AS64500', []],
    ['-i em,mnt-by,phone x', [queryMessages.notSearchable('e-mail'), queryMessages.notSearchable('phone')]],
    ['-K -T person AB1-EXAMPLE', []],
    ['-T route help', []],
  ])('%s', (line, findsNothing) => {
    expect(question(line)).toMatchObject({ kind: 'search', findsNothing });
  });

  test('says so, others do not', () => {
    expect(question('-i mnt-by EXAMPLE-MNT')).not.toHaveProperty('findsNothing');
  });
});

describe('the rest of a line', () => {
  test.each([
    ['AS64500', { keepsOpen: false, charset: 'latin1', warnings: [] }],
    ['-x -t person', { warnings: [queryMessages.uselessFlag()] }],
    ['-k AS64500', { keepsOpen: true, charset: 'latin1' }],
    ['-k -y AS64500', { keepsOpen: true, charset: 'latin1' }],
    ['-Z utf-8 AS64500', { keepsOpen: false, charset: 'utf8' }],
    ['-Z Latin-1 AS64500', { keepsOpen: false, charset: 'latin1' }],
    ['-V web AS64500', { keepsOpen: false, charset: 'latin1', client: { tag: 'web' } }],
    ['-V web,192.0.2.1 AS64500', { keepsOpen: false, charset: 'latin1', client: { tag: 'web', address: '192.0.2.1' } }],
  ])('%s', (line, expected) => {
    expect(parseLine(line)).toMatchObject(expected);
  });
});
