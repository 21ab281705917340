import { expect, test } from 'vitest';
import { objectOf } from '../../tests/write-object.js';
import { authenticates } from './authenticate.js';

const mntner = objectOf('mntner: ONE-MNT\nauth: PGPKEY-00000001\nauth: sso  Alice@example.net # work\n');
const irt = objectOf('irt: IRT-ONE\nauth: SSO alice@example.net\n');
const fingerprint = '0123456789abcdef'.repeat(4);
const keys = new Map([['pgpkey-00000001', fingerprint]]);
const nobody = { credentials: [], accountId: '', apiKeyId: '', accountName: '', maintainers: [], keyFingerprints: [] };
const alice = { ...nobody, accountName: 'alice@EXAMPLE.net' };
const bySubject = objectOf('mntner: ONE-MNT\nauth: SSO 5f0e@provider\n');

test.each([
  ['the account in any letter case', mntner, alice, true],
  ['an irt', irt, alice, true],
  ['another account', mntner, { ...alice, accountName: 'bob@example.net' }, false],
  ['a part of the name', mntner, { ...alice, accountName: 'alice' }, false],
  ['no account', mntner, nobody, false],
  ['nobody', mntner, undefined, false],
  ['a limit that names it', mntner, { ...alice, maintainers: ['TWO-MNT', 'one-mnt'] }, true],
  ['a limit to others', mntner, { ...alice, maintainers: ['TWO-MNT'] }, false],
  ['a limit to mntners, for an irt', irt, { ...alice, maintainers: ['ONE-MNT'] }, false],
  ['a name like another kind of auth', mntner, { ...alice, accountName: 'PGPKEY-00000001' }, false],
  ['an empty SSO value', objectOf('mntner: ONE-MNT\nauth: SSO\n'), { ...alice, accountName: 'sso' }, false],
  ['the subject of the account', bySubject, { ...nobody, accountId: '5f0e@provider' }, true],
  ['a subject is compared exactly', bySubject, { ...nobody, accountId: '5F0E@provider' }, false],
  ['the key of a key-cert', mntner, { ...nobody, keyFingerprints: ['00', fingerprint.toUpperCase()] }, true],
  ['another key', mntner, { ...nobody, keyFingerprints: ['00'] }, false],
  ['a key that the object does not name', irt, { ...nobody, keyFingerprints: [fingerprint] }, false],
  [
    'a key, and a limit to others',
    mntner,
    { ...nobody, keyFingerprints: [fingerprint], maintainers: ['TWO-MNT'] },
    false,
  ],
])('%s', (_what, object, principal, expected) => {
  expect(authenticates(object, principal, keys)).toBe(expected);
});
