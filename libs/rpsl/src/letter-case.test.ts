import { expect, it } from 'vitest';
import { asciiLowerCase, asciiUpperCase, objectType, parseKey } from './index.js';

it.each([
  ['', '', ''],
  ['Test-1', 'TEST-1', 'test-1'],
  ['te\u017ft', 'TE\u017fT', 'te\u017ft'],
  ['\u212aEY-cert', '\u212aEY-CERT', '\u212aey-cert'],
  ['stra\u00dfe \u0131 \u00c9', 'STRA\u00dfE \u0131 \u00c9', 'stra\u00dfe \u0131 \u00c9'],
])('only the letters of ASCII have a case: %j', (text, upper, lower) => {
  expect([asciiUpperCase(text), asciiLowerCase(text)]).toEqual([upper, lower]);
});

it('no other letter names a type or a key', () => {
  expect(objectType('KEY-CERT')?.name).toBe('key-cert');
  expect(objectType('\u212aey-cert')).toBeUndefined();
  expect(objectType('per\u017fon')).toBeUndefined();
  expect(parseKey('mntner', 'EXAMPLE-\u212a-MNT')).toBeUndefined();
  expect(parseKey('route', '192.0.2.0/24A\u017f64496')).toBeUndefined();
});
