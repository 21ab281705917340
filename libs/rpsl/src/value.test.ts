import { expect, test } from 'vitest';
import { parsed } from './parsed.fixture.js';
import { cleanComment, cleanValue, listValues, replaceValue, sameAttribute, sameObject } from './value.js';

const descr = (raw: string) => ({ name: 'descr', raw });

test.each([
  ['', '', undefined],
  ['   ', '', undefined],
  ['  a   b# c  d', 'a b', 'c d'],
  ['  a   b # c  d\n  e\n+ f\n+g # h', 'a b e f g', 'c d h'],
  [' a\tb\r', 'a b', undefined],
  [' a ## b', 'a', 'b'],
  [' a ### b#\n c ##', 'a c', 'b'],
  [' a ##', 'a', undefined],
  [' a # # b', 'a', 'b'],
  [' a#b#c', 'a', 'bc'],
  [' a # b #\n+ c #d\n #\n # # e', 'a c', 'b d e'],
  [' a \n+\n+\n b', 'a b', undefined],
  [' + a', '+ a', undefined],
  [' a\n + b', 'a + b', undefined],
  [' a\n++ b', 'a + b', undefined],
  [' # only', '', 'only'],
  [' a #', 'a', undefined],
  [' a # b # c', 'a', 'b c'],
  [' a!b"c', 'a!b"c', undefined],
  [' a! b', 'a! b', undefined],
  [' a\u00a0\u00a0b ', 'a\u00a0\u00a0b', undefined],
])('the text %j has the value %j and the comment %j', (raw, value, comment) => {
  expect(cleanValue(descr(raw))).toBe(value);
  expect(cleanComment(descr(raw))).toBe(comment);
});

test.each([
  [' https://signal.me/#p/+31205550100', 'https://signal.me/#p/+31205550100', undefined],
  [' https://signal.me/#p/+31205550100 # desk', 'https://signal.me/#p/+31205550100', 'desk'],
  ['#p', '', 'p'],
  [' sip:a\n+#p', 'sip:a', 'p'],
  [' a#b\t#c#d', 'a#b', 'cd'],
])('in contact a # without whitespace before it belongs to the value: %j', (raw, value, comment) => {
  expect(cleanValue({ name: 'contact', raw })).toBe(value);
  expect(cleanComment({ name: 'contact', raw })).toBe(comment);
});

test.each([
  [' a', ' b'],
  [' a  #', ' b'],
  [' a ## c #1', ' b ## c #1'],
  [' a #c', ' b #c'],
  [' a #  c\n+#d\n e ## f', ' b # c d # f'],
])('with another value, %j is %j', (raw, changed) => {
  expect(replaceValue(descr(raw), 'b')).toEqual(descr(changed));
});

test.each([
  ['mnt-by', ' A-MNT, B-MNT # both', ['A-MNT', 'B-MNT']],
  ['mnt-by', ' A-MNT,\n B-MNT,a-mnt', ['A-MNT', 'B-MNT']],
  ['mnt-by', ' A-MNT,', ['A-MNT', '']],
  ['mnt-by', '', ['']],
  ['members', 'AS1,AS2', ['AS1', 'AS2']],
  ['mnt-routes', ' A-MNT {192.0.2.0/24, 192.0.2.0/25}', ['A-MNT {192.0.2.0/24, 192.0.2.0/25}']],
  ['descr', ' one, two', ['one, two']],
])('%s with %j has the values %j', (name, raw, values) => {
  expect(listValues({ name, raw })).toEqual(values);
});

test.each([
  ['descr', ' a  b', 'A\n b', true],
  ['descr', ' a # c', ' a # C', true],
  ['descr', ' a # c', ' a', false],
  ['descr', ' a', ' b', false],
  ['mnt-by', ' A-MNT,B-MNT', ' a-mnt, b-mnt', true],
  ['mnt-by', ' A-MNT,B-MNT', ' B-MNT,A-MNT', false],
  ['no-such', ' a', ' b', true],
])('%s: %j and %j are the same: %j', (name, a, b, same) => {
  expect(sameAttribute({ name, raw: a }, { name, raw: b })).toBe(same);
});

test('an attribute is the same under its short name', () => {
  expect(sameAttribute({ name: 'mb', raw: 'A-MNT' }, { name: 'mnt-by', raw: ' A-MNT' })).toBe(true);
});

test('layout, letter case and generated attributes do not make objects differ, order does', () => {
  const stored = parsed('person: Jo Doe\nnic-hdl: JD1-TEST\ncreated: 2024-01-01T00:00:00Z\nsource: TEST');
  const reformatted = parsed('person:   JO\n+ Doe\nnic-hdl: jd1-test\nchanged: jo@example.net\nsource: test');
  const reordered = parsed('person: Jo Doe\nsource: TEST\nnic-hdl: JD1-TEST');
  expect(sameObject(stored, reformatted)).toBe(true);
  expect(sameObject(stored, reordered)).toBe(false);
});
