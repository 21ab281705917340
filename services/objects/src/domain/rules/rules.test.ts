import { formatMessage, primaryKey, type RpslObject } from '@cadastre/rpsl';
import { describe, expect, test } from 'vitest';
import { objectOf } from '../../../tests/write-object.js';
import type { CertificateFacts } from '../certificates/material.js';
import type { Action } from '../change.js';
import { noRelatedRanges, type RelatedRanges } from '../facts.js';
import { objectName } from '../known-objects.js';
import type { EmailMark } from '../mail-address.js';
import { defaultPolicy, type Policy } from '../policy.js';
import { applyRules, rules } from './index.js';

interface Given {
  action?: Action;
  object: string;
  stored?: string;
  /** The object that a deletion expects. */
  expected?: string;
  /** Other objects that exist. */
  known?: string[];
  referrers?: string[];
  relatedRanges?: { [relation in keyof RelatedRanges]?: string[] };
  policy?: Partial<Policy>;
  emailMarks?: Record<string, EmailMark>;
  /** The key of a key-cert; a good RSA key by default. */
  certificate?: Partial<CertificateFacts>;
}

type Case = readonly [id: string, when: string, given: Given, expected: readonly string[]];

const none: readonly string[] = [];
const mntner = 'mntner: ONE-MNT\nadmin-c: AA1-TEST\nmnt-by: ONE-MNT\nauth: SSO a@example.net\nsource: TEST';
const person = (handle: string, ...more: string[]) => ['person: Some Body', `nic-hdl: ${handle}`, ...more].join('\n');
const notifying = (count: number) => Array.from({ length: count }, (_, at) => `notify: n${at}@example.net`);
const role = (handle: string, ...more: string[]) => ['role: Desk', `nic-hdl: ${handle}`, ...more].join('\n');
const organisation = (key: string, ...more: string[]) => [`organisation: ${key}`, ...more].join('\n');
const inetnum = (range: string, ...more: string[]) => [`inetnum: ${range}`, ...more].join('\n');
const route = (prefix: string, ...more: string[]) => [`route: ${prefix}`, 'origin: AS64500', ...more].join('\n');
const domain = (name: string, ...more: string[]) => [`domain: ${name}`, ...more].join('\n');
const asSet = (name: string, ...more: string[]) => [`as-set: ${name}`, ...more].join('\n');
const root = inetnum('0.0.0.0 - 255.255.255.255');
const pgp = 'key-cert: PGPKEY-0A1B2C3D\ncertif: key';
const x509 = 'key-cert: X509-1\ncertif: key';
const rir = { profile: 'rir' } as const;
const net = '192.0.2.0 - 192.0.2.255';

const cases: readonly Case[] = [
  ['G-EXISTS', 'new', { object: mntner }, none],
  [
    'G-EXISTS',
    'there already',
    { object: mntner, stored: mntner },
    ['Enforced new keyword specified, but the object already exists in the database'],
  ],
  ['G-DELETE-MISMATCH', 'nothing is expected', { action: 'delete', object: mntner }, none],
  [
    'G-DELETE-MISMATCH',
    'layout, letter case and generated attributes do not count',
    { action: 'delete', object: `${mntner}\ncreated: 2020-01-01T00:00:00Z`, expected: mntner.replace('AA1', '  aa1') },
    none,
  ],
  [
    'G-DELETE-MISMATCH',
    'another value',
    { action: 'delete', object: mntner, expected: mntner.replace('AA1', 'AA2') },
    ["Object [mntner] ONE-MNT doesn't match version in database"],
  ],
  [
    'G-DELETE-MISMATCH',
    'people are told with their names',
    { action: 'delete', object: person('AA1-TEST'), expected: person('AA1-TEST', 'phone: +1 2') },
    ["Object [person] AA1-TEST   Some Body doesn't match version in database"],
  ],
  [
    'G-REFERENCED',
    'named by another',
    { action: 'delete', object: mntner, referrers: [person('AA1-TEST', 'mnt-by: OTHER-MNT, one-mnt')] },
    ['Object [mntner] ONE-MNT is referenced from other objects'],
  ],
  ['G-REFERENCED', 'named by nobody', { action: 'delete', object: mntner }, none],
  [
    'G-REFERENCED',
    'encryption and signature hold nothing',
    {
      action: 'delete',
      object: 'key-cert: PGPKEY-00000001',
      referrers: ['irt: IRT-ONE\nencryption: PGPKEY-00000001\nsignature: PGPKEY-00000001'],
    },
    none,
  ],
  [
    'G-REFERENCED',
    'an aut-num is never held',
    { action: 'delete', object: 'aut-num: AS64500', referrers: [route('192.0.2.0/24')] },
    none,
  ],
  [
    'G-SET-MEMBERS-LEFT',
    'a claim, accepted or not',
    { action: 'delete', object: asSet('AS-ONE'), referrers: ['aut-num: AS64500\nmember-of: as-one'] },
    ['Object [as-set] AS-ONE is referenced from other objects'],
  ],
  [
    'G-REF-EXISTS',
    'missing values of one attribute in one message',
    { object: person('AA1-TEST', 'mnt-by: A-MNT, ONE-MNT, B-MNT', 'org: ORG-NO1-TEST'), known: [mntner] },
    ['Unknown object referenced A-MNT,B-MNT', 'Unknown object referenced ORG-NO1-TEST'],
  ],
  ['G-REF-EXISTS', 'itself counts', { object: mntner, known: [person('AA1-TEST')] }, none],
  ['G-REF-EXISTS', 'any letter case', { object: person('AA1-TEST', 'mnt-by: one-mnt'), known: [mntner] }, none],
  [
    'G-REF-EXISTS',
    'mnt-routes by its name, mbrs-by-ref ANY by none',
    {
      object: 'route-set: RS-ONE\nmbrs-by-ref: ANY\nmnt-lower: NO-MNT',
      known: [],
    },
    ['Unknown object referenced NO-MNT'],
  ],
  ['G-REF-EXISTS', 'a left-over AUTO key was told before', { object: person('AA1-TEST', 'org: AUTO-1') }, none],
  [
    'G-MNTBY-EXISTS',
    'missing',
    { object: person('AA1-TEST', 'mnt-by: NO-MNT') },
    ["The maintainer 'NO-MNT' was not found in the database"],
  ],
  [
    'G-MNTBY-EXISTS',
    'who has no contact either is shown the way',
    {
      object: mntner.replace('mnt-by: ONE-MNT', 'mnt-by: NO-MNT'),
      policy: { firstMaintainerPage: 'https://example.net/start' },
    },
    [
      "The maintainer 'NO-MNT' was not found in the database",
      'To create the first person/mntner pair of objects for an organisation see\nhttps://example.net/start',
    ],
  ],
  ['G-MNTBY-EXISTS', 'itself', { object: mntner }, none],
  [
    'G-MNTBY-CONTACTS',
    'contact of the maintainer without mnt-by',
    { object: person('BB1-TEST', 'mnt-by: ONE-MNT'), known: [mntner, person('AA1-TEST')] },
    ['Referenced person object AA1-TEST from mntner: ONE-MNT is missing mandatory attribute "mnt-by:"'],
  ],
  [
    'G-CONTACT-MAINTAINED',
    'own contact without mnt-by',
    {
      object: inetnum(net, 'tech-c: AA1-TEST', 'admin-c: BB1-TEST'),
      known: [role('AA1-TEST'), person('BB1-TEST', 'mnt-by: X')],
    },
    ['Referenced role object AA1-TEST is missing mandatory attribute "mnt-by:"'],
  ],
  ['G-RESERVED', 'word of the policy language', { object: 'mntner: PeerAS' }, ["Reserved name 'peeras' used"]],
  ['G-RESERVED', 'on modification it is too late', { action: 'modify', object: 'mntner: PeerAS' }, none],
  [
    'G-RESERVED-PREFIX',
    'another type',
    { object: 'mntner: AS-MNT' },
    ["Names starting with 'as-' are reserved for 'as-set'."],
  ],
  [
    'G-RESERVED-PREFIX',
    'a handle too',
    { object: person('AS-EXMPL') },
    ["Names starting with 'as-' are reserved for 'as-set'."],
  ],
  ['G-RESERVED-PREFIX', 'its own type', { object: asSet('AS-ONE') }, none],
  ['G-RESERVED-PREFIX', 'key-certs have two', { object: 'key-cert: X509-1' }, none],
  ['G-SOURCE', 'another', { object: person('AA1-TEST', 'source: elsewhere') }, ['Unrecognized source: ELSEWHERE']],
  ['G-SOURCE', 'this', { object: person('AA1-TEST', 'source: test') }, none],
  [
    'G-SOURCE-COMMENT',
    'comment',
    { object: person('AA1-TEST', 'source: TEST # mine') },
    ['End of line comments not allowed on "source:" attribute'],
  ],
  ['G-COUNTRY', 'unknown', { object: inetnum(net, 'country: XX', 'country: nl') }, ['Country not recognised: XX']],
  ['G-COUNTRY', 'EU', { object: inetnum(net, 'country: EU') }, none],
  ['G-LANGUAGE', 'unknown', { object: inetnum(net, 'language: xx') }, ['Language not recognised: xx']],
  ['G-LANGUAGE', 'known', { object: inetnum(net, 'language: nl') }, none],
  [
    'G-CONTACT',
    'unknown form',
    { object: role('AA1-TEST', 'contact: https://example.net/chat') },
    ['Contact attribute syntax is not recognised: https://example.net/chat'],
  ],
  ...[
    'https://wa.me/31205550100',
    'https://api.whatsapp.com/send?phone=+31205550100',
    'https://signal.me/#p/+31205550100',
    'sip:jo@example.net:5060',
    'https://t.me/share/url?url=a&text=b',
    'tg://msg_url?url=a&text=b',
  ].map((uri): Case => ['G-CONTACT', uri, { object: role('AA1-TEST', `contact: ${uri}`) }, none]),
  [
    'G-NO-MD5',
    'a password',
    { object: 'mntner: ONE-MNT\nauth: md5-pw $1$abcdefgh$0123456789ABCDEFabcdef' },
    ['MD5 hashed password authentication is deprecated. Please switch to an alternative authentication method.'],
  ],
  ['G-NO-MD5', 'an account', { object: mntner }, none],
  [
    'G-NO-MD5',
    'switched off for irts',
    { object: 'irt: IRT-ONE\nauth: MD5-PW $1$a$b', policy: { passwordTypes: new Set(['irt'] as const) } },
    none,
  ],
  [
    'G-EMAIL-EXCLUDED',
    'in any attribute, letter case and form',
    {
      object:
        'role: Desk\nnic-hdl: AA1-TEST\ne-mail: fine@example.net\nnotify: Desk <NOC@example.net>\nremarks: noc@example.net',
      emailMarks: { 'noc@example.net': 'excluded', 'fine@example.net': 'undeliverable' },
    },
    ['The email address "Desk <NOC@example.net>" cannot be used.'],
  ],
  [
    'G-NOTIFY-UNDELIVERABLE',
    'the object and its maintainers as they were; every address once',
    {
      action: 'modify',
      object: person('AA1-TEST', 'notify: new@example.net', 'mnt-by: ONE-MNT'),
      stored: person('AA1-TEST', 'notify: OLD@example.net', 'mnt-by: ONE-MNT'),
      known: [`${mntner}\nmnt-nfy: old@example.net\nmnt-nfy: gone@example.net\nupd-to: up@example.net`],
      emailMarks: {
        'old@example.net': 'undeliverable',
        'gone@example.net': 'unsubscribed',
        'new@example.net': 'undeliverable',
        'up@example.net': 'undeliverable',
      },
    },
    [
      'Not sending notification to old@example.net because it is undeliverable.',
      'Not sending notification to gone@example.net because it is unsubscribe.',
    ],
  ],
  [
    'G-NOTIFY-UNDELIVERABLE',
    'organisations and irts that are named anew or no longer, not those that stay',
    {
      action: 'modify',
      object: inetnum(net, 'org: ORG-NW1-TEST', 'mnt-irt: IRT-STAYS'),
      stored: inetnum(net, 'org: ORG-OL1-TEST', 'mnt-irt: IRT-STAYS', 'mnt-irt: IRT-GONE'),
      known: [
        organisation('ORG-NW1-TEST', 'ref-nfy: new@example.net'),
        organisation('ORG-OL1-TEST', 'ref-nfy: old@example.net'),
        'irt: IRT-STAYS\nirt-nfy: stays@example.net',
        'irt: IRT-GONE\nirt-nfy: gone@example.net',
      ],
      emailMarks: {
        'new@example.net': 'undeliverable',
        'old@example.net': 'undeliverable',
        'stays@example.net': 'undeliverable',
        'gone@example.net': 'undeliverable',
      },
    },
    ['old', 'new', 'gone'].map((who) => `Not sending notification to ${who}@example.net because it is undeliverable.`),
  ],
  [
    'G-NOTIFY-UNDELIVERABLE',
    'the holder of the AS that a new route originates from',
    {
      object: route('192.0.2.0/24'),
      known: ['aut-num: AS64500\nnotify: as@example.net'],
      emailMarks: { 'as@example.net': 'undeliverable' },
    },
    ['Not sending notification to as@example.net because it is undeliverable.'],
  ],
  [
    'G-NOTIFY-UNDELIVERABLE',
    'whoever is not told',
    { object: mntner, emailMarks: { 'a@x.net': 'undeliverable' } },
    none,
  ],
  [
    'G-NOTIFY-MANY',
    'addresses and objects that name further ones, each once',
    { object: person('AA1-TEST', 'mnt-by: ONE-MNT', ...notifying(100), ...notifying(100)) },
    ['The object names 101 addresses and objects that are told of its changes; at most 100 are allowed'],
  ],
  ['G-NOTIFY-MANY', 'up to 100', { object: person('AA1-TEST', 'mnt-by: ONE-MNT', ...notifying(99)) }, none],
  [
    'G-NOTIFY-MANY',
    'more than the stored state',
    {
      action: 'modify',
      object: person('AA1-TEST', ...notifying(121)),
      stored: person('AA1-TEST', ...notifying(120)),
    },
    ['The object names 121 addresses and objects that are told of its changes; at most 100 are allowed'],
  ],
  [
    'G-NOTIFY-MANY',
    'as many as the stored state',
    {
      action: 'modify',
      object: person('AA1-TEST', 'remarks: changed', ...notifying(120)),
      stored: person('AA1-TEST', ...notifying(120)),
    },
    none,
  ],
  [
    'G-MEMBEROF',
    'set names other maintainers',
    {
      object: 'aut-num: AS64500\nmember-of: AS-ONE, AS-TWO\nmnt-by: ONE-MNT',
      known: [asSet('AS-ONE', 'mbrs-by-ref: TWO-MNT'), asSet('AS-TWO', 'mbrs-by-ref: one-mnt')],
    },
    ['Membership claim is not supported by mbrs-by-ref: attribute of the referenced set [AS-ONE]'],
  ],
  [
    'G-MEMBEROF',
    'set takes anybody',
    {
      object: 'aut-num: AS64500\nmember-of: AS-ONE\nmnt-by: ONE-MNT',
      known: [asSet('AS-ONE', 'mbrs-by-ref: ANY')],
    },
    none,
  ],
  [
    'G-MBRSBYREF-CHANGED',
    'a member loses its claim',
    {
      action: 'modify',
      object: asSet('AS-ONE', 'mbrs-by-ref: TWO-MNT'),
      stored: asSet('AS-ONE', 'mbrs-by-ref: ONE-MNT'),
      referrers: [
        'aut-num: AS64500\nmember-of: AS-ONE\nmnt-by: ONE-MNT',
        'aut-num: AS64501\nmember-of: AS-ONE\nmnt-by: THREE-MNT',
      ],
    },
    [
      'Changing mbrs-by-ref:  may cause updates to [AS64500] to fail, because the member-of: reference in [AS64500] is no longer protected',
    ],
  ],
  [
    'G-MNTROUTES-ANY',
    'list and ANY for one maintainer',
    { object: inetnum(net, 'mnt-routes: ONE-MNT ANY', 'mnt-routes: one-mnt {192.0.2.0/24}', 'mnt-routes: TWO-MNT') },
    [
      'Syntax error in ONE-MNT ANY (ANY can only occur as a single value)',
      'Syntax error in one-mnt {192.0.2.0/24} (ANY can only occur as a single value)',
    ],
  ],
  [
    'G-MNTROUTES-RANGE',
    'outside, and of the other family',
    { object: inetnum(net, 'mnt-routes: ONE-MNT {192.0.2.0/25^+, 198.51.100.0/24, 2001:db8::/32}') },
    ['198.51.100.0/24 is outside the range of this object', '2001:db8::/32 is not a valid IPv4 address'],
  ],
  [
    'G-MNTROUTES-RANGE',
    'IPv6',
    { object: 'inet6num: 2001:db8::/32\nmnt-routes: ONE-MNT {192.0.2.0/24}' },
    ['192.0.2.0/24 is not a valid IPv6 address'],
  ],
  [
    'G-MNTROUTES-RANGE',
    'nothing after ANY',
    { object: inetnum(net, 'mnt-routes: ONE-MNT', 'mnt-routes: TWO-MNT {198.51.100.0/24}') },
    none,
  ],
  ['G-RANGE-OVERLAP', 'one parent', { object: inetnum(net), relatedRanges: { enclosing: [root] } }, none],
  ['G-RANGE-OVERLAP', 'no parent', { object: inetnum(net) }, [`Interval ${net} must have exactly one parent`]],
  [
    'G-RANGE-OVERLAP',
    'two parents, neither inside the other',
    {
      object: inetnum(net),
      relatedRanges: { enclosing: [inetnum('192.0.1.0 - 192.0.2.255'), inetnum('192.0.2.0 - 192.0.3.255'), root] },
    },
    [`Interval ${net} must have exactly one parent`],
  ],
  [
    'G-RANGE-OVERLAP',
    'the lowest of those that overlap in part',
    {
      object: inetnum(net),
      relatedRanges: {
        enclosing: [root],
        overlapping: [inetnum('192.0.1.0 - 192.0.2.7'), inetnum('192.0.2.128 - 192.0.3.7')],
      },
    },
    ['This range overlaps with 192.0.1.0 - 192.0.2.7'],
  ],
  ['G-RANGE-OVERLAP', 'the whole space stands alone', { object: 'inet6num: ::/0' }, none],
  [
    'G-GEOFEED-REMARK',
    'attribute and remark',
    { object: inetnum(net, 'geofeed: https://example.net/a.csv', 'remarks: Geofeed: https://example.net/b.csv') },
    ['Only one between the "geofeed:" and "remark: geofeed:" attributes is allowed.'],
  ],
  [
    'G-GEOFEED-REMARK',
    'either alone',
    { object: inetnum(net, 'prefixlen: https://example.net/a.csv', 'remarks: see geofeed: none') },
    none,
  ],
  [
    'G-ASBLOCK-OVERLAP',
    'above, below and across',
    {
      object: 'as-block: AS10 - AS20',
      relatedRanges: {
        enclosing: ['as-block: AS1 - AS30'],
        contained: ['as-block: AS11 - AS12'],
        overlapping: ['as-block: AS15 - AS25'],
      },
    },
    ['Parent As-block already exists', 'Child As-block already exists', 'Overlapping As-block already exists'],
  ],
  [
    'G-DOMAIN-UNIQUE',
    'above and below',
    {
      object: domain('2.0.192.in-addr.arpa'),
      relatedRanges: { enclosing: [domain('192.in-addr.arpa')], contained: [domain('7.2.0.192.in-addr.arpa')] },
    },
    [
      'Existing less specific domain object found 192.0.0.0/8',
      'Existing more specific domain object found 192.0.2.7/32',
    ],
  ],
  [
    'G-DOMAIN-OVERLAP',
    'ranges across each other',
    {
      object: domain('0-127.2.0.192.in-addr.arpa'),
      relatedRanges: { overlapping: [domain('64-191.2.0.192.in-addr.arpa')] },
    },
    ['This domain overlaps with 64-191.2.0.192.in-addr.arpa'],
  ],
  [
    'G-NSERVER-GLUE',
    'inside without address, outside with one',
    {
      object: domain(
        '2.0.192.in-addr.arpa',
        'nserver: ns.2.0.192.in-addr.arpa',
        'nserver: ns1.example.net 192.0.2.1',
        'nserver: ns2.example.net',
        'nserver: NS.2.0.192.IN-ADDR.ARPA 192.0.2.2',
      ),
    },
    [
      'Glue record is mandatory if hostname ends with 2.0.192.in-addr.arpa',
      'Glue records only allowed if hostname ends with 2.0.192.in-addr.arpa',
    ],
  ],
  [
    'G-NSERVER-GLUE',
    'inside a range is a host whose number is of it',
    {
      object: domain(
        '0-127.2.0.192.in-addr.arpa',
        'nserver: ns.5.2.0.192.in-addr.arpa',
        'nserver: ns.200.2.0.192.in-addr.arpa',
      ),
    },
    ['Glue record is mandatory if hostname ends with 0-127.2.0.192.in-addr.arpa'],
  ],
  [
    'G-NSERVER-GLUE',
    'ENUM',
    { object: domain('0.4.4.e164.arpa', 'nserver: ns1.example.net 192.0.2.1') },
    ['Enum domain has invalid glue 192.0.2.1'],
  ],
  [
    'G-ORGNAME-FORMAT',
    'two spaces',
    { object: organisation('ORG-EX1-TEST', 'org-name: Example  Networks') },
    ['Tab characters, multiple lines, or multiple whitespaces are not allowed in the "org-name:" value.'],
  ],
  [
    'G-ORGNAME-FORMAT',
    'two lines',
    { object: organisation('ORG-EX1-TEST', 'org-name: Example', '+ Networks') },
    ['Tab characters, multiple lines, or multiple whitespaces are not allowed in the "org-name:" value.'],
  ],
  [
    'G-ORGNAME-FORMAT',
    'padding and comment do not count',
    { object: organisation('ORG-EX1-TEST', 'org-name:    Example Networks  # since  1990 ') },
    none,
  ],
  [
    'G-ROLE-SELF',
    'its own contact',
    { object: role('AA1-TEST', 'admin-c: aa1-test', 'tech-c: BB1-TEST') },
    ['Self reference is not allowed for attribute type "admin-c"'],
  ],
  [
    'G-ABUSEC-ROLE',
    'role without mailbox',
    { object: inetnum(net, 'abuse-c: AA1-TEST'), known: [role('AA1-TEST')] },
    [
      'The "abuse-c" ROLE object \'AA1-TEST\' has no "abuse-mailbox:"\nAdd "abuse-mailbox:" to the ROLE object, then update the INETNUM object',
    ],
  ],
  [
    'G-ABUSEC-ROLE',
    'person',
    { object: organisation('ORG-EX1-TEST', 'abuse-c: AA1-TEST'), known: [person('AA1-TEST')] },
    ['"abuse-c:" references a PERSON object\nThis must reference a ROLE object with an "abuse-mailbox:"'],
  ],
  [
    'G-ABUSEC-ROLE',
    'role with mailbox',
    { object: inetnum(net, 'abuse-c: AA1-TEST'), known: [role('AA1-TEST', 'abuse-mailbox: a@example.net')] },
    none,
  ],
  [
    'G-ABUSEC-KEEP-MAILBOX',
    'taken away while it is used',
    {
      action: 'modify',
      object: role('AA1-TEST'),
      stored: role('AA1-TEST', 'abuse-mailbox: a@example.net'),
      referrers: [organisation('ORG-EX1-TEST', 'abuse-c: aa1-test')],
    },
    ["There is an organisation referencing role Desk's abuse-mailbox"],
  ],
  [
    'G-ABUSEC-KEEP-MAILBOX',
    'nobody uses it as abuse contact',
    {
      action: 'modify',
      object: role('AA1-TEST'),
      stored: role('AA1-TEST', 'abuse-mailbox: a@example.net'),
      referrers: [organisation('ORG-EX1-TEST', 'admin-c: aa1-test')],
    },
    none,
  ],
  [
    'G-ABUSEC-NOLIMIT',
    'new mailbox',
    { object: role('AA1-TEST', 'abuse-mailbox: a@example.net') },
    ['There are no limits on queries for ROLE objects containing "abuse-mailbox:"'],
  ],
  [
    'G-ABUSEC-NOLIMIT',
    'mailbox as before',
    {
      action: 'modify',
      object: role('AA1-TEST', 'abuse-mailbox: a@example.net'),
      stored: role('AA1-TEST', 'abuse-mailbox: b@example.net'),
    },
    none,
  ],
  [
    'G-ABUSEC-DUP',
    'as its organisation has',
    {
      object: inetnum(net, 'abuse-c: AA1-TEST', 'org: ORG-EX1-TEST'),
      known: [organisation('ORG-EX1-TEST', 'abuse-c: AA1-TEST')],
    },
    ['Duplicate abuse-c "AA1-TEST" also found in referenced organisation "ORG-EX1-TEST".'],
  ],
  [
    'G-ABUSEC-DUP',
    'the first ancestor with one decides',
    {
      object: inetnum(net, 'abuse-c: AA1-TEST'),
      known: [
        organisation('ORG-EX1-TEST', 'abuse-c: BB1-TEST'),
        organisation('ORG-EX2-TEST', 'abuse-c: AA1-TEST'),
        organisation('ORG-EX3-TEST'),
      ],
      relatedRanges: {
        enclosing: [
          inetnum('192.0.2.0 - 192.0.3.255', 'org: ORG-EX3-TEST'),
          inetnum('192.0.0.0 - 192.0.255.255', 'org: ORG-EX1-TEST'),
          inetnum('192.0.0.0 - 192.255.255.255', 'org: ORG-EX2-TEST'),
        ],
      },
    },
    none,
  ],
  [
    'G-BOGON',
    'inside one',
    {
      object: route('10.1.0.0/16'),
      policy: { bogons: [{ family: 4, first: 10n << 24n, last: (11n << 24n) - 1n }] },
    },
    ['Bogon prefix 10.1.0.0/16 is not allowed.'],
  ],
  ['G-BOGON', 'none unless configured', { object: route('10.1.0.0/16') }, none],
  [
    'G-ORIGIN-RESERVED',
    'reserved',
    { object: route('192.0.2.0/24'), policy: { reservedAsNumbers: [{ first: 64496, last: 131071 }] } },
    ['Cannot use reserved AS number 64500'],
  ],
  [
    'G-ROUTE-HOLES',
    'outside, and of the other family',
    { object: route('192.0.2.0/24', 'holes: 192.0.2.0/25, 192.0.0.0/16, 2001:db8::/48') },
    ['192.0.0.0/16 is outside the range of this object', '2001:db8::/48 is not a valid IPv4 address'],
  ],
  [
    'G-ROUTE-PINGABLE',
    'outside, and of the other family',
    { object: 'route6: 2001:db8::/32\norigin: AS64500\npingable: 2001:db9::1\npingable: 192.0.2.1' },
    ['2001:db9::1 is outside the range of this object', '192.0.2.1 is not a valid IPv6 address'],
  ],
  [
    'G-SET-ONE-OF',
    'neither',
    { object: 'filter-set: FLTR-ONE' },
    ['A filter-set object must contain either filter or mp-filter attribute'],
  ],
  [
    'G-SET-ONE-OF',
    'both',
    { object: 'peering-set: PRNG-ONE\npeering: AS1\nmp-peering: AS1' },
    ['A peering-set object cannot contain both peering and mp-peering attributes'],
  ],
  ['G-SET-ONE-OF', 'one', { object: 'peering-set: PRNG-ONE\nmp-peering: AS1' }, none],
  [
    'G-SET-PARENT',
    'parents by their form, all missing',
    { object: 'route-set: AS64500:AS-ONE:RS-TWO:RS-THREE' },
    ['Parent object AS64500:AS-ONE:RS-TWO not found'],
  ],
  ['G-SET-PARENT', 'an aut-num', { object: 'route-set: AS64500:RS-ONE', known: ['aut-num: AS64500'] }, none],
  [
    'G-SET-PARENT',
    'an as-set above a route-set',
    { object: 'route-set: AS-ONE:RS-ONE', known: [asSet('AS-ONE')] },
    none,
  ],
  ['G-SET-PARENT', 'a flat name has none', { object: asSet('AS-ONE') }, none],
  [
    'G-KEYCERT-NAME',
    'a PGP key under another name',
    { object: pgp, certificate: { method: 'PGP', keyId: '0A1B2C3E' } },
    ['Syntax error in PGPKEY-0A1B2C3D (must be PGPKEY-0A1B2C3E for this key)'],
  ],
  [
    'G-KEYCERT-NAME',
    'its own, in any letter case',
    { object: pgp.toLowerCase(), certificate: { method: 'PGP', keyId: '0A1B2C3D' } },
    none,
  ],
  [
    'G-KEYCERT-NAME',
    'a certificate in the name of a PGP key',
    { object: pgp },
    ['Syntax error in PGPKEY-0A1B2C3D (must be AUTO-nnn for create)'],
  ],
  [
    'G-KEYCERT-NAME',
    'a PGP key takes the place of a certificate',
    {
      action: 'modify',
      object: x509,
      stored: `${x509}\ncertif: more`,
      certificate: { method: 'PGP', keyId: '0A1B2C3D' },
    },
    ['Syntax error in X509-1 (must be PGPKEY-0A1B2C3D for this key)'],
  ],
  [
    'G-KEYCERT-NAME',
    'a stored one that was loaded under another name stays',
    {
      action: 'modify',
      object: `${pgp}\nremarks: new`,
      stored: pgp,
      certificate: { method: 'PGP', keyId: '0A1B2C3E' },
    },
    none,
  ],
  [
    'G-KEYCERT-PGP',
    'expired, revoked, short',
    {
      object: pgp,
      certificate: { method: 'PGP', keyId: '0A1B2C3D', expired: true, revoked: true, algorithm: 'DSA', bits: 1024 },
    },
    [
      'Public key in keycert 0A1B2C3D has expired',
      'Public key in keycert 0A1B2C3D is revoked',
      'DSA public key is 1024 bits which is less than the minimum 2048',
    ],
  ],
  ['G-KEYCERT-X509', 'a good one', { object: x509 }, none],
  [
    'G-KEYCERT-X509',
    'expired, a weak hash, short',
    { object: x509, certificate: { expired: true, signatureAlgorithm: 'sha1WithRSAEncryption', bits: 1024 } },
    [
      'Public key in keycert X509-1 has expired',
      'Certificate in keycert X509-1 uses a weak hash algorithm sha1WithRSAEncryption',
      'RSA public key is 1024 bits which is less than the minimum 2048',
    ],
  ],
  [
    'G-KEYCERT-X509',
    'a hash that only begins like a weak one, a key of a few hundred bits that is no RSA key',
    { object: x509, certificate: { signatureAlgorithm: 'ecdsa-with-SHA128', algorithm: 'ECDSA', bits: 256 } },
    none,
  ],
  [
    'G-KEYCERT-X509',
    'a key that cannot sign',
    { object: x509, certificate: { algorithm: undefined } },
    ['Public key in keycert X509-1 uses an unsupported algorithm'],
  ],
  [
    'G-KEYCERT-X509',
    'a stored one that expired stays',
    { action: 'modify', object: `${x509}\nremarks: new`, stored: x509, certificate: { expired: true } },
    none,
  ],
  [
    'G-KEYCERT-X509',
    'a new one in its place is looked at',
    { action: 'modify', object: x509, stored: `${x509}\ncertif: more`, certificate: { expired: true } },
    ['Public key in keycert X509-1 has expired'],
  ],
  [
    'P-INET-HIER',
    'not under that parent',
    {
      object: inetnum(net, 'status: ASSIGNED PI'),
      relatedRanges: { enclosing: [inetnum('192.0.0.0 - 192.0.255.255', 'status: ALLOCATED PA'), root] },
      policy: rir,
    },
    ['inetnum parent has incorrect status: ALLOCATED PA'],
  ],
  [
    'P-INET-HIER',
    'not above that child; the parent is not looked at',
    {
      object: inetnum(net, 'status: ASSIGNED PI'),
      relatedRanges: {
        enclosing: [inetnum('192.0.0.0 - 192.0.255.255', 'status: ALLOCATED PA')],
        contained: [
          inetnum('192.0.2.0 - 192.0.2.127', 'status: ASSIGNED PA'),
          inetnum('192.0.2.0 - 192.0.2.63', 'status: LEGACY'),
        ],
      },
      policy: rir,
    },
    ["Status ASSIGNED PI not allowed when more specific object '192.0.2.0 - 192.0.2.127' has status ASSIGNED PA"],
  ],
  [
    'P-INET-HIER',
    'only children count',
    {
      object: inetnum(net, 'status: ALLOCATED PA'),
      relatedRanges: {
        enclosing: [inetnum('192.0.0.0 - 192.0.255.255', 'status: ALLOCATED UNSPECIFIED')],
        contained: [
          inetnum('192.0.2.0 - 192.0.2.63', 'status: ALLOCATED PA'),
          inetnum('192.0.2.0 - 192.0.2.127', 'status: SUB-ALLOCATED PA'),
        ],
      },
      policy: rir,
    },
    none,
  ],
  [
    'P-INET-HIER',
    'assignments under assignments, inside of an allocation',
    {
      object: inetnum('192.0.2.0 - 192.0.2.63', 'status: ASSIGNED PA'),
      relatedRanges: {
        enclosing: [inetnum(net, 'status: ASSIGNED PA'), inetnum('192.0.0.0 - 192.0.255.255', 'status: ALLOCATED PA')],
      },
      policy: rir,
    },
    ['inetnum parent has incorrect status: ASSIGNED PA'],
  ],
  [
    'P-INET-HIER',
    'assignments under assignments elsewhere',
    {
      object: inetnum('192.0.2.0 - 192.0.2.63', 'status: ASSIGNED PA'),
      relatedRanges: {
        enclosing: [
          inetnum(net, 'status: ASSIGNED PA'),
          inetnum('0.0.0.0 - 255.255.255.255', 'status: ALLOCATED UNSPECIFIED'),
        ],
      },
      policy: rir,
    },
    none,
  ],
  [
    'P-INET-HIER',
    'not a rule of every registry',
    {
      object: inetnum(net, 'status: ASSIGNED PI'),
      relatedRanges: { enclosing: [inetnum('192.0.0.0 - 192.0.255.255', 'status: ALLOCATED PA')] },
    },
    none,
  ],
  [
    'P-INET-CHANGE',
    'another status',
    {
      action: 'modify',
      object: inetnum(net, 'status: ASSIGNED PI'),
      stored: inetnum(net, 'status: ASSIGNED PA'),
      policy: rir,
    },
    ['status value cannot be changed, you must delete and re-create the object'],
  ],
  ...(['P-INET-CHANGE', 'P-INET-SWITCH'] as const).map(
    (id): Case => [
      id,
      'an allocation is assigned as a whole, where nothing stands in it',
      {
        action: 'modify',
        object: inetnum(net, 'status: allocated-assigned PA'),
        stored: inetnum(net, 'status: ALLOCATED PA'),
        relatedRanges: { enclosing: [`${root}\nstatus: ALLOCATED UNSPECIFIED`] },
        policy: rir,
      },
      none,
    ],
  ),
  [
    'P-INET-SWITCH',
    'something stands in it',
    {
      action: 'modify',
      object: inetnum(net, 'status: ALLOCATED-ASSIGNED PA'),
      stored: inetnum(net, 'status: ALLOCATED PA'),
      relatedRanges: {
        enclosing: [`${root}\nstatus: ALLOCATED UNSPECIFIED`],
        contained: [inetnum('192.0.2.0 - 192.0.2.7', 'status: ASSIGNED PA')],
      },
      policy: rir,
    },
    [
      "Status ALLOCATED-ASSIGNED PA not allowed when more specific object '192.0.2.0 - 192.0.2.7' has status ASSIGNED PA",
    ],
  ],
  [
    'P-INET-DELETE',
    'what stands in it does not fit under its parent',
    {
      action: 'delete',
      object: inetnum(net, 'status: ALLOCATED PA'),
      relatedRanges: {
        enclosing: [`${root}\nstatus: ALLOCATED UNSPECIFIED`],
        contained: [inetnum('192.0.2.0 - 192.0.2.7', 'status: ASSIGNED PA')],
      },
      policy: rir,
    },
    [
      "Status ALLOCATED UNSPECIFIED not allowed when more specific object '192.0.2.0 - 192.0.2.7' has status ASSIGNED PA",
    ],
  ],
  [
    'P-INET6-CHANGE',
    'another status',
    {
      action: 'modify',
      object: 'inet6num: 2001:db8::/32\nstatus: ASSIGNED',
      stored: 'inet6num: 2001:db8::/32\nstatus: ALLOCATED-BY-LIR',
      policy: rir,
    },
    ['status value cannot be changed, you must delete and re-create the object'],
  ],
  ['P-INET6-SIZE', 'a link', { object: 'inet6num: 2001:db8::/64', policy: rir }, none],
  ['P-INET6-SIZE', 'less', { object: 'inet6num: 2001:db8::/65', policy: rir }, ['Minimum prefix size is 64']],
  [
    'P-INET6-HIER',
    'nothing under an assignment',
    {
      object: 'inet6num: 2001:db8:1::/48\nstatus: ASSIGNED',
      relatedRanges: { enclosing: ['inet6num: 2001:db8::/32\nstatus: ASSIGNED'] },
      policy: rir,
    },
    ['inet6num parent has incorrect status: ASSIGNED'],
  ],
];

const goodKey: CertificateFacts = {
  method: 'X509',
  owners: [],
  fingerprint: '',
  keyFingerprint: '',
  signingSubkeys: [],
  expired: false,
  revoked: false,
  algorithm: 'RSA',
  bits: 2048,
  signatureAlgorithm: 'sha256WithRSAEncryption',
};

function known(objects: readonly RpslObject[]) {
  return new Map(objects.map((object) => [objectName(object.type, keyOf(object).folded), object]));
}

function keyOf(object: RpslObject) {
  const key = primaryKey(object);
  if (!('folded' in key)) throw new Error('has no key');
  return key;
}

function say(id: string, given: Given): string[] {
  const object = objectOf(given.object);
  const stored = given.stored === undefined ? undefined : objectOf(given.stored);
  const objects = (given.known ?? []).map(objectOf);
  const facts = {
    source: 'TEST',
    before: known(objects),
    after: known([...objects, object]),
    keys: new Map<string, string>(),
    newKeys: new Map<string, string>(),
    emailMarks: new Map(Object.entries(given.emailMarks ?? {}).map(([address, mark]) => [address, new Set([mark])])),
    governing: [],
    referrers: (given.referrers ?? []).map(objectOf),
    relatedRanges: {
      ...noRelatedRanges,
      ...Object.fromEntries(
        Object.entries(given.relatedRanges ?? {}).map(([name, texts]) => [name, texts.map(objectOf)]),
      ),
    },
  };
  const certificate = { ok: true, facts: { ...goodKey, ...given.certificate } } as const;
  const expected = given.expected === undefined ? undefined : objectOf(given.expected);
  const change = { action: given.action ?? 'create', key: keyOf(object), object, stored, expected, certificate };
  return applyRules(change, facts, { ...defaultPolicy, ...given.policy })
    .filter((finding) => finding.rule === id)
    .map((finding) => formatMessage(finding.message));
}

describe('rules', () => {
  test.each(cases)('%s: %s', (id, _when, given, expected) => {
    expect(say(id, given)).toEqual(expected);
  });

  test('every rule is in the table with a case in which it returns a message', () => {
    const speaking = new Set(cases.filter(([, , , expected]) => expected.length > 0).map(([id]) => id));
    expect(rules.map((rule) => rule.id).filter((id) => !speaking.has(id))).toEqual([]);
  });

  test('ids are unique', () => {
    expect(new Set(rules.map((rule) => rule.id)).size).toBe(rules.length);
  });
});
