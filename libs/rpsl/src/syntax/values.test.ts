import { expect, test } from 'vitest';
import type { ObjectTypeName, SyntaxId } from '../types.js';
import { fitsSyntax } from './index.js';

function check(
  rule: string,
  syntax: SyntaxId,
  valid: string[],
  invalid: string[],
  type: ObjectTypeName = 'mntner',
): void {
  test(`${syntax}: ${rule}`, () => {
    expect(valid.filter((value) => !fitsSyntax(syntax, type, value))).toEqual([]);
    expect(invalid.filter((value) => fitsSyntax(syntax, type, value))).toEqual([]);
  });
}

const a = (count: number) => 'a'.repeat(count);

check('2 to 80 characters', 'object-name', ['ab', a(80)], ['', 'a', a(81), 'a_', 'a.b']);
check(
  'no word of the policy language',
  'object-name',
  ['anyone', 'AS-ANYX'],
  ['AS-ANY', 'rs-any', 'Networks', 'OUTBOUND', 'atomic'],
);
check('1 to 80 characters', 'netname', ['a', a(80)], ['', a(81), '-a', 'a-']);
check('2 to 80 characters', 'source', ['ab', a(80), 'A_B-1'], ['', a(81), 'A_']);
check('no limit of length', 'irt', [`IRT-${a(200)}`, 'irt-_a'], ['irt', 'irt-a-']);
check('80 characters', 'poem', [`poem-${a(75)}`], [`poem-${a(76)}`, 'poem-a b']);
check('80 characters', 'poetic-form', [`form-${a(75)}`, 'FORM-1'], [`form-${a(76)}`, 'FORM--']);
check(
  'initials, number, suffix',
  'nic-handle',
  ['ABCD123456-ABCDEFGHIJ', 'ab-cd', 'auto-12abcd'],
  ['A1', 'AB1-A', 'AB1-ABCDEFGHIJK', 'AUTO-1A', 'AUTO-01', 'AB-1', `AUTO-${'1'.repeat(26)}`],
);
check(
  'prefix, initials, number, suffix',
  'organisation',
  ['org-ab-A1', 'ORG-ABCD999999-X_Y', 'AUTO-1'],
  ['ORG-AB-A', 'ORG-ABCDE1-EX', 'ORG-AB01-EX', 'ORG-AB-1A', `ORG-AB-${a(24)}`, 'AUTO-1A'],
);

check(
  'digits and letters',
  'key-cert',
  ['pgpkey-abcdef01', 'x509-1', 'auto-10'],
  ['PGPKEY-0000000G', 'PGPKEY-000000001', 'X509-0', 'AUTO-', 'X509 1'],
);
check(
  'known schemes only',
  'auth-scheme',
  [
    'sso a@b',
    'SSO @@b',
    `SSO ${'@'.repeat(300_000)}\u2028`,
    'X509-12345678901234567890',
    'auto-1',
    'md5-pw $1$a$0123456789./ABCDEFabcd',
  ],
  [
    'SSO @b',
    'SSO a@',
    'SSO',
    'X509-123456789012345678901',
    'MD5-PW $1$$0123456789./ABCDEFabcd',
    'MD5-PW $1$abcdefghi$0123456789./ABCDEFabcd',
    'MD5-PW $1$a$0123456789./ABCDEFabc',
    'MAIL-FROM .*@example.net',
  ],
);

check(
  '80 characters, any order and depth',
  'as-set',
  ['AS1:AS-A:AS2:AS-B', 'AS-A:AS4294967295', `AS-${a(77)}`, 'as-_a'],
  [`AS-${a(78)}`, 'AS-A:', ':AS-A', 'AS-A:AS4294967296', 'AS-A:PeerAS', 'AS-A:RS-B', 'AS1'],
);
check('components of three characters', 'route-set', ['AS0:RS-A', 'RS-A:AS9'], ['AS-A', 'RS-A:RS-']);
check('components of five characters', 'rtr-set', ['AS100:RTRS-A'], ['AS99:RTRS-A', 'RTRS-A:AS0', 'RTRS-']);
check('components of five characters', 'filter-set', ['AS100:FLTR-A'], ['FLTR-A:AS1', 'RTRS-A']);
check('components of five characters', 'peering-set', ['AS100:PRNG-A'], ['AS99:PRNG-A']);

check('32 bits', 'as-number', ['AS4294967295', 'aS1'], ['AS', 'AS-1', 'AS00', 'AS99999999999', ' AS1', 'AS1 ']);
check(
  'order of the ends',
  'as-block',
  ['AS1-AS1', 'AS01 -AS5', 'AS1 - AS99999999999'],
  ['AS1', 'AS5-AS4', 'AS1-5', 'AS1--AS5', 'AS1-AS5-AS9', '-'],
);
check(
  'host bits, order, octets',
  'ipv4',
  ['10/8', '0/0', '10 - 11', '010.0.0.0/8', '192.0.2.1/32', '1.2.3.4-1.2.3.4'],
  [
    '',
    '10',
    '11/7',
    '192.0.2',
    '192.0.2.0/',
    '192.0.2.0/24/24',
    '1.2.3.4.5/32',
    '10.0.0.1 - 10.0.0.0',
    '::/0',
    '192.0.2.1 192.0.2.2',
  ],
);
check(
  'text forms',
  'ipv6',
  ['::', '[2001:db8::]/32', '1:2:3:4:5:6:7:8', '::/0', '1::8/128'],
  [
    '',
    ':',
    ':::',
    '1:2:3:4:5:6:7',
    '1:2:3:4:5:6:7:8:9',
    '12345::',
    '::g',
    '::/',
    '::/129',
    '::ffff:192.0.2.1',
    '1::2::3',
    ':: - ::1',
  ],
);
check('a prefix with a length', 'route', ['10/8', '192.0.2.0/24'], ['10 - 11', '192.0.2.1', '10.0.0.0/8-9'], 'route');
check('a prefix with a length', 'route6', ['::/0'], ['::1', '::/0-1'], 'route6');
check(
  'operators that do not widen',
  'address-prefix-range',
  ['192.0.2.0/24^24', '192.0.2.0/24^-', '::/0^0-128', '2001:db8::1/32'],
  [
    '192.0.2.0/24^',
    '192.0.2.0/24^23-25',
    '192.0.2.0/24^33',
    '192.0.2.1/24',
    '2001:db8::',
    '2001:db8::/32^31',
    '2001:db8::/32^129',
    '192.0.2.0/24^+^+',
    '192.0.2.0/24 ^+',
    '',
  ],
);
check('digits', 'number', ['007'], ['1.5', ' 1', '1a']);
check(
  'one address',
  'pingable',
  ['2001:db8::1/128', '192.0.2.1/32'],
  ['192.0.2.1/31', '2001:db8::/64', '192.0.2', '010.0.0.1', '', '192.0.2.1 192.0.2.2'],
);

check('AS members', 'members', ['AS1', 'AS1:AS-A'], ['RS-A', 'AS-A^+', '', 'AS1 AS2'], 'as-set');
check(
  'route members',
  'members',
  ['AS1', 'AS-A', 'RS-A^128', 'RS-A^+', 'RS-A^-', 'AS1:RS-A^0-1'],
  ['RS-A^129', 'RS-A^2-1', 'RS-A^', 'AS-A^+', 'FLTR-A', '192.0.2.1/24'],
  'route-set',
);
check('router members', 'members', ['r_1.example.net.', 'AS100:RTRS-A'], ['-r', 'r..r', '::1'], 'rtr-set');
check('IPv6 too', 'mp-members', ['2001:db8::/32^+', '192.0.2.0/24'], ['2001:db8::', '2001:db8::/32^16'], 'route-set');
check('IPv6 too', 'mp-members', ['2001:db8::/32', '192.0.2.1', 'RTRS-A'], ['192.0.2.0/24'], 'rtr-set');
check('no other type has members', 'members', [], ['AS1', 'RS-A', 'r1'], 'person');
check(
  'ranges apart by comma or space',
  'mnt-routes',
  [
    'EX-MNT any',
    'EX-MNT { 192.0.2.0/24 2001:db8::/32 }',
    'EX-MNT {192.0.2.0/24 , 2001:db8::/32^+}',
    'EX-MNT { }',
    'E-',
    `E${a(80)}`,
  ],
  [
    'EX-MNT {,}',
    'EX-MNT {192.0.2.0/24,}',
    'EX-MNT{}',
    'EX-MNT ANY ANY',
    'EX-MNT {192.0.2.0}',
    'E',
    `E${a(81)}`,
    '1-MNT',
    'EX-MNT {192.0.2.0/24',
    '',
  ],
);

check(
  'labels',
  'alias',
  ['1.2.3', 'a-b.c', `${'a.'.repeat(126)}aa`],
  ['', '.', 'a-.b', 'a.-b', 'a..', 'a b', `${'a.'.repeat(127)}a`],
);
check('labels with underscores inside', 'inet-rtr', ['a_b', 'a.b_-c'], ['_a', 'a_', '']);
check(
  'suffixes',
  'domain',
  ['2.0.192.IN-ADDR.ARPA', '0-0.2.0.192.in-addr.arpa.', '0.ip6.arpa', `${'0.'.repeat(32)}ip6.arpa`, '1.E164.arpa.'],
  [
    '',
    '2.0.192.in-addr.arpa..',
    '02.0.192.in-addr.arpa',
    '1.2.3.4.5.in-addr.arpa',
    `${'0.'.repeat(33)}ip6.arpa`,
    '00.ip6.arpa',
    '12.e164.arpa',
    'arpa',
    '.e164.arpa',
    '1.in-addr.arpa.net',
  ],
);
check(
  'host and one address',
  'nserver',
  ['ns1', 'ns1 192.0.2.1/32', 'ns1.example.net ::1/128'],
  ['', 'ns1 ns2', 'ns1 192.0.2.0/31', 'ns..net', '192.0.2.1 ns1 '],
);
const digest = (length: number) => '0a'.repeat(length / 2);
check(
  'digest by type',
  'ds-rdata',
  [`0 0 2 ${digest(64)}`, `65535 255 3 ${digest(64)}`, `1 1 4 ${digest(96)}`, `1 1 1 (${digest(40)})`, '1 1 255 a b'],
  [
    `1 1 2 ${digest(40)}`,
    `1 1 4 ${digest(64)}`,
    `1 1 1 (${digest(40)}`,
    `1 1 1 ${digest(40)})`,
    '1 1 256 a',
    '1 1 9 ',
    '1 1 9 ()',
    '1 1 9 ( )',
    '1 1 a',
    '-1 1 9 a',
  ],
);

check(
  'one RFC 822 address',
  'email',
  [
    'a.b+c@example.net',
    '"a b"@example.net',
    '<a@example.net>',
    '"Doe, Jo" <a@example.net>',
    'Jö Doe <a@example.net>',
    'a@example.net (Jo)',
    'Jo <a@[IPv6:2001:db8::1]>',
    `${a(308)}@example.net`,
    `Jo ${a(400)} <a@example.net>`,
    'a@xn--bcher-kva.example',
  ],
  [
    '@example.net',
    'a@',
    'a.@example.net',
    '.a@example.net',
    'a..b@example.net',
    'a b@example.net',
    'a@example..net',
    'a@.net',
    'a@example.net.',
    'a@-example.net',
    'a@exämple.net',
    'a@ex_ample.net',
    'Jo <a@example.net',
    'Jo a@example.net',
    '<<a@example.net>>',
    '<a@example.net> Jo',
    'Jo <>',
    '"a@example.net',
    'a@[]',
    `${a(309)}@example.net`,
    'a@example.net;',
    'Group: a@example.net;',
    'a@b@example.net',
  ],
);
check(
  'date',
  'changed',
  ['a@b.c 20241231', `${a(80)}@b.c`],
  ['a@b.c 20241232', 'a@b.c 20240001', 'a@b.c 2024', '@b.c', `${a(86)}@b.c`, 'a@b.c  20241231'],
);
check(
  '1 to 30 words of 1 to 64',
  'org-name',
  [a(64), Array(30).fill('a').join(' '), '] [ . _ " * ( ) @ , & : ! \' ` + / -'],
  [a(65), Array(31).fill('a').join(' '), 'a  b', ' a', 'a ', 'a\\b', 'a#b'],
);
check(
  '2 to 10 words of 1 to 64',
  'person-role-name',
  [`${a(64)} ${a(64)}`, Array(10).fill('a').join(' '), "O'Neil J. D\\oe_-`", 'J 1 b'],
  [`a ${a(65)}`, Array(11).fill('a').join(' '), 'a  b', "'a b", 'a b,', 'a 1 -b'],
);
check(
  '30 characters',
  'phone',
  ['+1', '+1 (2)3', '+1EXT.2', `+${'1'.repeat(29)}`],
  ['+', '1', '+1()2', '+1 ext 2', '+(1)2', `+${'1'.repeat(30)}`, '+1ext.'],
);
check(
  'scheme and RFC 2396 characters',
  'contact',
  ['tel:1', 'a+b-c.1:x', 'file:///x', 'http://example.net/%20?a#', 'x:/#b'],
  ['x:', '1x:a', ':a', 'http://', 'http://#a', 'a:b#c#d', 'a:%2', 'a:b c', 'a:<b>', 'a:é', 'a:"', '//example.net'],
);
const urls = {
  valid: [
    'HTTPS://example.net',
    'https://www.example.net:8443/a/b.csv?c=d&e#f',
    'https://[2001:db8::1]/a',
    'https://example.xn--p1ai/',
    'https://192.0.2.1',
    'https://example.net?a',
    'https://example.net./a',
  ],
  invalid: [
    '',
    'https://',
    'https:///a',
    'https:example.net',
    'https://example',
    'https://example.net/a b',
    'https://exam_ple.net/',
    'https://example..net/',
    'https://-example.net/',
    'https://a.localhost/',
    'https://a.local',
    'https://a.test/',
    'https://a.invalid/',
    'https://example.n3t/',
    'https://999.0.2.1/',
    'https://192.0.2/',
    'https://[::g]/',
    'https://[]/',
    'https://example.net:/',
    'https://example.net:123456/',
    'https://example.net/ä',
    'ftp://example.net/',
  ],
};
check('absolute https URL of a public host', 'geofeed', urls.valid, urls.invalid);
check('absolute https URL of a public host', 'prefixlen', urls.valid, urls.invalid);

check(
  'degrees',
  'geoloc',
  ['90 180', '-90.0 -180.0', '0 0', '+.5 -.5', '007 1.25'],
  ['90.1 0', '0 -180.1', '1', '1 2 3', '1. 2', '. .', '+ -', '1e1 0', ''],
);
check('two letters', 'country-code', ['nl', 'Eu'], ['', 'n1', 'é1', 'NL ']);
check('words', 'org-type', ['iana', 'Direct_Assignment', 'NIR', 'RIR'], ['', 'LIR ', 'LIR RIR']);
check('by type', 'status', ['Allocated Unspecified', 'SUB-ALLOCATED PA'], ['ASSIGNED', 'OTHER', ''], 'inetnum');
check('by type', 'status', ['allocated-by-lir', 'ASSIGNED ANYCAST'], ['ALLOCATED UNSPECIFIED', 'OTHER'], 'inet6num');
check('by type', 'status', ['assigned', 'LEGACY'], ['ASSIGNED PA'], 'aut-num');
check('anything', 'free-form', ['', 'é', '# $'], []);
check('anything', 'mbrs-by-ref', ['', 'ANY'], []);
