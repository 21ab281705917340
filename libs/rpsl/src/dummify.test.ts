import { expect, test } from 'vitest';
import { placeholderPerson, publicCopy } from './dummify.js';
import { printObject } from './layout.js';
import { parsed } from './parsed.fixture.js';
import { samples } from './samples.js';
import { objectTypes } from './types.js';
import { validate } from './validate.js';

const copyOf = (text: string) => {
  const copy = publicCopy(parsed(text));
  return copy && printObject(copy);
};
const lines = (text: string) =>
  copyOf(text)
    ?.trimEnd()
    .split('\n')
    .map((line) => line.replace(/: +/, ': '));

test.each(objectTypes.map(({ name }) => name))('third parties get no contact data of the type %s', (type) => {
  const copy = copyOf(samples[type]);
  if (type === 'person') {
    expect(copy).toBeUndefined();
    return;
  }
  const addresses = [...copy!.matchAll(/\S+@\S+/g)].map(([address]) => address);
  expect(addresses.filter((address) => address !== 'unread@example.invalid')).toEqual([]);
  expect(copy).not.toMatch(/AE1-TEST|Alice|Street|555 01|two buildings|BEGIN PGP|SSO/);
  expect(copy).toMatch(/\nsource: +TEST\n$/);
});

test.each(objectTypes.map(({ name }) => name).filter((name) => name !== 'person'))(
  'the public copy of the type %s is a valid object and its own copy',
  (type) => {
    const copy = publicCopy(parsed(samples[type]))!;
    const given = validate(parsed(samples[type])).filter(({ severity }) => severity === 'error');
    expect(given).toEqual([]);
    expect(validate(copy).filter(({ severity }) => severity === 'error')).toEqual([]);
    expect(publicCopy(copy)).toEqual(copy);
  },
);

test('a mntner keeps what is mandatory, and its credentials become one that nobody has', () => {
  const mntner = `${samples.mntner}created: 2020-01-01T00:00:00Z\n`;
  expect(lines(mntner)).toEqual([
    'mntner: EXAMPLE-MNT',
    'admin-c: DUMY-TEST',
    'upd-to: unread@example.invalid',
    'auth: MD5-PW $1$SaltSalt$DummifiedMD5HashValue. # Real value hidden for security',
    'mnt-by: EXAMPLE-MNT',
    'source: TEST',
    'created: 2020-01-01T00:00:00Z',
  ]);
});

test('an organisation keeps what is mandatory, its country and its abuse contact', () => {
  expect(lines(samples.organisation)).toEqual([
    'organisation: ORG-EX1-TEST',
    'org-name: Example Networks (NL) B.V.',
    'org-type: OTHER',
    'address: Dummy address for ORG-EX1-TEST',
    'country: NL',
    'e-mail: unread@example.invalid',
    'abuse-c: EN1-TEST',
    'mnt-ref: EXAMPLE-MNT',
    'mnt-by: EXAMPLE-MNT',
    'source: TEST',
  ]);
});

test('routing data stays as it is written', () => {
  const policy = 'aut-num: AS64500\nas-name: EXAMPLE\nimport: from AS64501\n+       accept ANY\nsource: TEST';
  expect(copyOf(policy)).toBe(printObject(parsed(policy)));
});

test.each([
  ['a role with an abuse mailbox', 'role: A Desk\nnic-hdl: A-TEST\nabuse-mailbox: a@example.net\nsource: TEST', true],
  ['a role without', 'role: A Desk\nnic-hdl: A-TEST\ne-mail: a@example.net\nsource: TEST', false],
  ['a person', 'person: A Person\nnic-hdl: A-TEST\nabuse-mailbox: a@example.net\nsource: TEST', false],
])('%s is published: %s', (_, text, isPublished) => {
  expect(copyOf(text) !== undefined).toBe(isPublished);
});

test.each([
  [
    'several values become one',
    'admin-c: A1-X\nadmin-c: B1-X\ndescr: a\ndescr: b',
    ['admin-c: DUMY-TEST', 'descr: Dummified'],
  ],
  ['short names', '*ac: A1-X\n*de: a', ['admin-c: DUMY-TEST', 'descr: Dummified']],
  ['unknown attributes', 'trouble: a@example.net\nmnt-by: A-MNT', ['mnt-by: A-MNT']],
  ['comments', 'mnt-by: A-MNT # ask a@example.net\n+ , B-MNT # 555 0100', ['mnt-by: A-MNT , B-MNT']],
  ['addresses in other values', 'mnt-by: a@example.net', ['mnt-by: unread@example.invalid']],
])('%s', (_, attributes, expected) => {
  expect(lines(`inetnum: 192.0.2.0 - 192.0.2.255\n${attributes}\nsource: TEST`)).toEqual([
    'inetnum: 192.0.2.0 - 192.0.2.255',
    ...expected,
    'source: TEST',
  ]);
});

test.each([
  ['descr', ['descr: Free a', 'remarks: Dummified']],
  [
    'remarks',
    ['descr: Dummified', 'remarks: Geofeed https://example.net/a.csv', 'remarks: see unread@example.invalid'],
  ],
  ['geofeed', ['descr: Dummified', 'remarks: Geofeed https://example.net/a.csv', 'remarks: Dummified']],
  // Never anything else.
  ['auth', ['descr: Dummified', 'remarks: Dummified']],
  ['notify', ['descr: Dummified', 'remarks: Dummified']],
])('a copy that keeps %s is its own copy', (text, expected) => {
  const remarks = 'remarks: Geofeed https://example.net/a.csv\nremarks: see a@example.net\nnotify: a@example.net';
  for (const type of ['mntner: A-MNT', 'route: 192.0.2.0/24']) {
    const copy = publicCopy(parsed(`${type}\ndescr: Free a\n${remarks}\nsource: TEST`), new Set([text]))!;
    const shown = printObject(copy)
      .trimEnd()
      .split('\n')
      .map((line) => line.replace(/: +/, ': '));
    const isShort = type.startsWith('mntner');
    expect(shown).toEqual([
      type,
      ...expected.filter((line) => !isShort || !line.endsWith('Dummified')),
      'source: TEST',
    ]);
    expect(publicCopy(copy, new Set([text]))).toEqual(copy);
  }
});

test.each([
  ['TEST', 'DUMY-TEST'],
  ['TEST-NONAUTH', 'DUMY-TEST'],
  ['test', 'DUMY-TEST'],
  ['R2D2', 'DUMY'],
  ['LONGREGISTRYNAME', 'DUMY'],
])('contacts of the source %s become %s, who is a valid person', (source, handle) => {
  expect(lines(`route: 192.0.2.0/24\nadmin-c: A1-X\nsource: ${source}`)).toContain(`admin-c: ${handle}`);
  const person = placeholderPerson(source);
  expect(validate(person).filter(({ severity }) => severity === 'error')).toEqual([]);
  expect(printObject(person)).toContain(`nic-hdl:        ${handle}\n`);
});
