import { expect, test } from 'vitest';
import { formatMessage } from './message.js';
import { parsed } from './parsed.fixture.js';
import { samples } from './samples.js';
import { objectTypeNames } from './types.js';
import { validate } from './validate.js';

const texts = (text: string) => validate(parsed(text)).map(formatMessage);
const form = 'poetic-form: FORM-X\nadmin-c: JD1-TEST\nmnt-by: A-MNT\nsource: TEST\n';

test.each(objectTypeNames)('the sample %s is valid', (type) => {
  expect(validate(parsed(samples[type]))).toEqual([]);
});

test.each([
  ['nonsense: x', '"nonsense" is not a known RPSL attribute'],
  ['mnt-by : x', '"mnt-by " is not a known RPSL attribute'],
  ['inetnum: 192.0.2.0/24', '"inetnum" is not valid for this object type'],
  ['mnt-lower: A-MNT', '"mnt-lower" is not valid for this object type'],
  ['source: TEST', 'Attribute "source" appears more than once'],
  ['notify: nobody', 'Syntax error in nobody'],
  ['admin-c: JD1-TEST, JD2-TEST', 'Syntax error in JD1-TEST, JD2-TEST'],
])('one more line %j gives %j', (line, message) => {
  expect(texts(form + line)).toEqual([message]);
});

test.each(['changed: whatever', 'descr:', 'created: yesterday', 'created: 1\ncreated: 2'])(
  'one more line %j is accepted',
  (line) => {
    expect(texts(form + line)).toEqual([]);
  },
);

test('each element of a list is checked', () => {
  expect(texts(form.replace('A-MNT', 'A-MNT, 1-MNT, -'))).toEqual(['Syntax error in 1-MNT', 'Syntax error in -']);
});

test('reports all errors at once, missing attributes first, then in object order', () => {
  expect(texts('poetic-form: X\nadmin-c: JD\nfoo: x\nsource: T')).toEqual([
    'Mandatory attribute "mnt-by" is missing',
    'Syntax error in X',
    '"foo" is not a known RPSL attribute',
    'Syntax error in T',
  ]);
});

test('messages about an attribute name it and its place', () => {
  const found = validate(parsed(`${form}notify: nobody # x`));
  expect(found[0]).toMatchObject({ attribute: { name: 'notify', value: '         nobody # x' }, attributeIndex: 4 });
});

test('conditional and generated attributes are not required', () => {
  expect(texts(samples['filter-set'].replace(/^filter:.*\n/m, ''))).toEqual([]);
});

test('an aut-num may have the attributes that an update drops, and any status', () => {
  expect(texts(`${samples['aut-num']}mnt-lower: A-MNT\nmnt-routes: A-MNT\nstatus: NONSENSE`)).toEqual([]);
});
