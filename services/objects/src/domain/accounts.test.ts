import { parseObject, printObject, type RpslObject } from '@cadastre/rpsl';
import { expect, test } from 'vitest';
import { namedAccounts, withNames, withSubjects } from './accounts.js';

function mntner(...auth: string[]): RpslObject {
  const lines = ['mntner: A-MNT', ...auth.map((value) => `auth: ${value}`), 'source: TEST'];
  const parsed = parseObject(`${lines.join('\n')}\n`);
  if (!parsed.ok) throw new Error('does not parse');
  return parsed.object;
}

const alice = { id: 'f3a1', name: 'alice@example.net' };
const byName = new Map([[alice.name, alice]]);
const byId = new Map([[alice.id, alice]]);

test.each([
  ['a name in any letter case', 'sso Alice@example.net', 'SSO f3a1'],
  ['a name with a comment', 'SSO alice@example.net # ours', 'SSO f3a1 # ours'],
  ['an unknown name', 'SSO bob@example.net', 'SSO bob@example.net'],
  ['a key-cert', 'X509-1', 'X509-1'],
])('%s is stored as it should', (_case, given, stored) => {
  expect(printObject(withSubjects(mntner(given), byName))).toBe(printObject(mntner(stored)));
});

test('a subject becomes its name; other values stay', () => {
  const shown = withNames(mntner('SSO f3a1 # ours', 'SSO gone', 'PGPKEY-0A1B2C3D'), byId);
  expect(printObject(shown)).toBe(printObject(mntner('SSO alice@example.net # ours', 'SSO gone', 'PGPKEY-0A1B2C3D')));
});

test('only SSO lines name accounts', () => {
  expect(namedAccounts(mntner('SSO f3a1', 'X509-1', 'SSO bob@example.net'))).toEqual(['f3a1', 'bob@example.net']);
});
