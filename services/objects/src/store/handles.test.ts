import { expect, test } from 'vitest';
import { handleParts } from './handles.js';

test.each([
  ['person', 'js1-test', { kind: 'nic-hdl', stem: 'js-test', number: 1 }],
  ['role', 'abcd999999-example', { kind: 'nic-hdl', stem: 'abcd-example', number: 999_999 }],
  ['person', 'js12', { kind: 'nic-hdl', stem: 'js', number: 12 }],
  ['person', 'js-test', { kind: 'nic-hdl', stem: 'js-test', number: 0 }],
  ['organisation', 'org-ex7-test', { kind: 'organisation', stem: 'ex-test', number: 7 }],
  ['key-cert', 'x509-42', { kind: 'x509', stem: '', number: 42 }],
  ['key-cert', 'pgpkey-00112233', undefined],
  ['organisation', 'ex7-test', undefined],
  ['mntner', 'js1-test', undefined],
] as const)('%s %s', (type, key, parts) => {
  expect(handleParts(type, key)).toEqual(parts);
});
