import { expect, test } from 'vitest';
import { parsed } from './parsed.fixture.js';
import { linkOf, referencesOf } from './references.js';
import type { ObjectTypeName } from './types.js';

test.each([
  ['inetnum: x\nadmin-c: JD1-Test', [['admin-c', 'JD1-Test', 'jd1-test', ['person', 'role']]]],
  ['inetnum: x\nabuse-c: AR1-TEST', [['abuse-c', 'AR1-TEST', 'ar1-test', ['role']]]],
  [
    'inetnum: x\norg: ORG-EX1-TEST\nsponsoring-org: AUTO-1',
    [
      ['org', 'ORG-EX1-TEST', 'org-ex1-test', ['organisation']],
      ['sponsoring-org', 'AUTO-1', 'auto-1', ['organisation']],
    ],
  ],
  [
    'inetnum: x\nmnt-by: A-MNT, B-MNT, a-mnt # c',
    [
      ['mnt-by', 'A-MNT', 'a-mnt', ['mntner']],
      ['mnt-by', 'B-MNT', 'b-mnt', ['mntner']],
    ],
  ],
  [
    'inetnum: x\nmnt-routes: A-MNT {192.0.2.0/24, 192.0.2.0/25}\nmnt-routes: B-MNT{}\nmnt-irt: IRT-A',
    [
      ['mnt-routes', 'A-MNT {192.0.2.0/24, 192.0.2.0/25}', 'a-mnt', ['mntner']],
      ['mnt-routes', 'B-MNT{}', 'b-mnt', ['mntner']],
      ['mnt-irt', 'IRT-A', 'irt-a', ['irt']],
    ],
  ],
  [
    'mntner: A-MNT\nauth: SSO a@example.net\nauth: PGPKEY-0A1B2C3D\nauth: x509-1\nauth: MD5-PW $1$a$b\nauth: AUTO-1',
    [
      ['auth', 'PGPKEY-0A1B2C3D', 'pgpkey-0a1b2c3d', ['key-cert']],
      ['auth', 'x509-1', 'x509-1', ['key-cert']],
      ['auth', 'AUTO-1', 'auto-1', ['key-cert']],
    ],
  ],
  [
    'irt: IRT-A\nsignature: PGPKEY-0A1B2C3D\nencryption: X509-2',
    [
      ['signature', 'PGPKEY-0A1B2C3D', 'pgpkey-0a1b2c3d', ['key-cert']],
      ['encryption', 'X509-2', 'x509-2', ['key-cert']],
    ],
  ],
  [
    'as-set: AS-X\nmembers: AS1, AS-Y\nmbrs-by-ref: any\nmbrs-by-ref: A-MNT',
    [['mbrs-by-ref', 'A-MNT', 'a-mnt', ['mntner']]],
  ],
  ['aut-num: AS1\nmember-of: AS-X', [['member-of', 'AS-X', 'as-x', ['as-set']]]],
  ['route: 192.0.2.0/24\norigin: AS1\nmember-of: RS-X', [['member-of', 'RS-X', 'rs-x', ['route-set']]]],
  ['inet-rtr: r\nlocal-as: AS1\nmember-of: RTRS-X', [['member-of', 'RTRS-X', 'rtrs-x', ['rtr-set']]]],
  [
    'poem: POEM-X\nform: FORM-X\nauthor: JD1-TEST',
    [
      ['form', 'FORM-X', 'form-x', ['poetic-form']],
      ['author', 'JD1-TEST', 'jd1-test', ['person', 'role']],
    ],
  ],
  ['inetnum: x\nmnt-by:\nadmin-c: # none', []],
  ['aut-num: AS1\nimport: from AS2 accept AS-Y\nremarks: A-MNT', []],
])('the checked references of %j', (text, expected) => {
  const found = referencesOf(parsed(text)).map((r) => [r.attribute, r.value, r.key, r.types]);
  expect(found).toEqual(expected);
});

test('a reference has the index of its attribute', () => {
  const found = referencesOf(parsed('mntner: A-MNT\ndescr: x\nmnt-by: A-MNT'));
  expect(found.map((r) => r.attributeIndex)).toEqual([2]);
});

test.each<[string, string, ObjectTypeName, unknown]>([
  ['abuse-c', 'AR1-TEST', 'inetnum', { type: 'role', key: 'AR1-TEST' }],
  ['tech-c', 'JD1-TEST', 'inetnum', 'contact'],
  ['author', 'JD1-TEST', 'poem', 'contact'],
  ['auth', 'PGPKEY-0A1B2C3D', 'mntner', { type: 'key-cert', key: 'PGPKEY-0A1B2C3D' }],
  ['auth', 'SSO a@example.net', 'mntner', undefined],
  ['auth', 'MD5-PW', 'mntner', undefined],
  ['mbrs-by-ref', 'ANY', 'as-set', undefined],
  ['mbrs-by-ref', 'A-MNT', 'as-set', { type: 'mntner', key: 'A-MNT' }],
  ['mnt-routes', 'A-MNT {192.0.2.0/24}', 'inetnum', { type: 'mntner', key: 'A-MNT' }],
  ['mb', 'A-MNT', 'inetnum', { type: 'mntner', key: 'A-MNT' }],
  ['org', 'ORG-EX1-TEST', 'person', { type: 'organisation', key: 'ORG-EX1-TEST' }],
  ['member-of', 'AS1:AS-X', 'aut-num', { type: 'as-set', key: 'AS1:AS-X' }],
  ['member-of', 'RS-X', 'route', { type: 'route-set', key: 'RS-X' }],
  ['member-of', 'RS-X', 'aut-num', undefined],
  ['members', 'AS1', 'as-set', { type: 'aut-num', key: 'AS1' }],
  ['members', 'AS1:AS-X', 'as-set', { type: 'as-set', key: 'AS1:AS-X' }],
  ['members', 'RS-X', 'route-set', { type: 'route-set', key: 'RS-X' }],
  ['mp-members', 'RTRS-X', 'rtr-set', { type: 'rtr-set', key: 'RTRS-X' }],
  ['members', '192.0.2.0/24', 'route-set', undefined],
  ['mp-members', '2001:db8::/32', 'route-set', undefined],
  ['origin', 'AS1', 'route', undefined],
  ['descr', 'A-MNT', 'route', undefined],
  ['mnt-by', '', 'route', undefined],
])('%s: %j of a %s links to %j', (name, value, type, link) => {
  expect(linkOf(name, value, type)).toEqual(link);
});
