import { expect, test } from 'vitest';
import { objectOf } from '../../tests/write-object.js';
import { authenticates } from './authenticate.js';

const mntner = objectOf('mntner: ONE-MNT\nauth: PGPKEY-00000001\nauth: sso  Alice@example.net # work\n');
const irt = objectOf('irt: IRT-ONE\nauth: SSO alice@example.net\n');
const alice = { accountName: 'alice@EXAMPLE.net', maintainers: [] as string[] };

test.each([
  ['the account in any letter case', mntner, alice, true],
  ['an irt', irt, alice, true],
  ['another account', mntner, { ...alice, accountName: 'bob@example.net' }, false],
  ['a part of the name', mntner, { ...alice, accountName: 'alice' }, false],
  ['no account', mntner, { ...alice, accountName: '' }, false],
  ['nobody', mntner, undefined, false],
  ['a limit that names it', mntner, { ...alice, maintainers: ['TWO-MNT', 'one-mnt'] }, true],
  ['a limit to others', mntner, { ...alice, maintainers: ['TWO-MNT'] }, false],
  ['a limit to mntners, for an irt', irt, { ...alice, maintainers: ['ONE-MNT'] }, false],
  ['a name like another kind of auth', mntner, { ...alice, accountName: 'PGPKEY-00000001' }, false],
  ['an empty SSO value', objectOf('mntner: ONE-MNT\nauth: SSO\n'), { ...alice, accountName: 'sso' }, false],
])('%s', (_what, object, principal, expected) => {
  expect(authenticates(object, principal)).toBe(expected);
});
