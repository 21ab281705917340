import { describe, expect, test } from 'vitest';
import { draftLike, restoredDraft } from './derived-drafts.js';
import { textOf } from './draft.js';

/** The attributes of a text as "name: value", one for each line. */
const lines = (text: string) => text.trimEnd().replace(/: +/g, ': ').split('\n');

describe('an object like another one', () => {
  const known = { source: 'TEST', 'nic-hdl': 'AUTO-1', 'mnt-by': 'OWN-MNT' };
  test.each([
    [
      'inetnum',
      'inetnum: 192.0.2.0 - 192.0.2.255\nnetname: A\nmnt-by: A-MNT\ncreated: 2026\nlast-modified: 2026\nsource: TEST\n',
      ['inetnum:', 'netname: A', 'mnt-by: A-MNT', 'source: TEST'],
    ],
    [
      'route',
      'route: 192.0.2.0/24\norigin: AS64500\nmnt-by: A-MNT\nsource: TEST-NONAUTH # Filtered\n',
      ['route:', 'origin: AS64500', 'mnt-by: A-MNT', 'source: TEST'],
    ],
    [
      'person',
      'person: Jane Doe\nnic-hdl: JD1-TEST\nmnt-by: A-MNT\nsource: TEST\n',
      ['person: Jane Doe', 'nic-hdl: AUTO-1', 'mnt-by: A-MNT', 'source: TEST'],
    ],
    [
      'mntner',
      'mntner: A-MNT\nauth: MD5-PW # Filtered\nauth: SSO a@example.net\nsource: TEST # Filtered\n',
      ['mntner:', 'auth: SSO a@example.net', 'source: TEST'],
    ],
    ['poem', 'not an object', ['poem:', 'mnt-by: OWN-MNT', 'source: TEST']],
  ])('%s: without key, generated and masked values', (type, text, expected) => {
    expect(lines(textOf(draftLike(type, text, known)))).toEqual(expected);
  });

  test('its key and what is mandatory wait to be filled in', () => {
    const { rows } = draftLike('inetnum', 'inetnum: 192.0.2.0/24\nnetname: A\nsource: TEST\n', known);
    expect(rows.find(({ name }) => name === 'inetnum')).toMatchObject({ value: '', offered: true });
    expect(rows.map(({ name }) => name)).toContain('country');
  });
});

describe('a restored version', () => {
  const restored = (version: string, current: string) => lines(textOf(restoredDraft(version, current)!));
  const current =
    'mntner: A-MNT\ndescr: new\nadmin-c: JD1-TEST\nremarks: both\nremarks: added\nauth: SSO a@example.net\n' +
    'mnt-by: A-MNT\nnotify: a@example.net\ncreated: 2025\nlast-modified: 2026\nsource: TEST\n';
  const version =
    'mntner: A-MNT\ndescr: old\nremarks: both\nmnt-by: A-MNT\nmnt-by: B-MNT\ncreated: 2025\nlast-modified: 2025\n' +
    'source: TEST # Filtered\n';

  test('keeps what versions leave out and what is generated, at its place', () => {
    expect(restored(version, current)).toEqual([
      'mntner: A-MNT',
      'descr: old',
      'admin-c: JD1-TEST',
      'remarks: both',
      'auth: SSO a@example.net',
      'mnt-by: A-MNT',
      'mnt-by: B-MNT',
      'notify: a@example.net',
      'created: 2025',
      'last-modified: 2026',
      'source: TEST',
    ]);
  });

  test('that equals the current state changes nothing', () => {
    const filtered = current.replace(/^(admin-c|auth|notify):.*\n/gm, '').replace('TEST\n', 'TEST # Filtered\n');
    expect(restored(filtered, current)).toEqual(lines(current));
  });

  test('of a deleted object lacks what versions leave out, and offers what is mandatory', () => {
    expect(restored(version, '')).toEqual([
      'mntner: A-MNT',
      'descr: old',
      'remarks: both',
      'mnt-by: A-MNT',
      'mnt-by: B-MNT',
      'source: TEST',
    ]);
    const offered = restoredDraft(version, '')!.rows.filter(({ value }) => value === '');
    expect(offered.map(({ name }) => name)).toEqual(expect.arrayContaining(['admin-c', 'upd-to', 'auth']));
  });

  test('without an object there is no draft', () => {
    expect(restoredDraft('nonsense', current)).toBeUndefined();
  });
});
