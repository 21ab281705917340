import { expect, test } from 'vitest';
import { webhookOf } from './new-webhook.js';

const all = ['created', 'modified', 'deleted'];
const shown = (fields: Record<string, string>, operations = all) =>
  webhookOf({ text: (name) => ({ payload: 'keys', signature: 'v1', ...fields })[name] ?? '', operations });

test('without filters a webhook delivers every change', () => {
  expect(shown({ url: ' https://hooks.example.net/ ', source: 'TEST' })).toEqual({
    url: 'https://hooks.example.net/',
    source: 'TEST',
    filter: {},
    payload: 'keys',
    signature: 'v1',
  });
});

test.each<[string, Record<string, string>, string[], object]>([
  [
    'several types',
    { 'type-filter': 'route, route6  aut-num' },
    all,
    { 'type-filter': ['route', 'route6', 'aut-num'] },
  ],
  ['a mntner', { maintainer: ' EXAMPLE-MNT ' }, all, { maintainer: ['EXAMPLE-MNT'] }],
  [
    'addresses',
    { within: '192.0.2.0/24, 198.51.100.0 - 198.51.100.99,2001:db8::/32' },
    all,
    { within: ['192.0.2.0/24', '198.51.100.0 - 198.51.100.99', '2001:db8::/32'] },
  ],
  ['a key', { key: 'AS-* ' }, all, { key: 'AS-*' }],
  ['some operations', {}, ['created', 'deleted'], { operation: ['created', 'deleted'] }],
])('the filter may name %s', (_what, fields, operations, filter) => {
  expect(shown(fields, operations).filter).toEqual(filter);
});

test('the signature is chosen', () => {
  expect(shown({ signature: 'v1a' })).toMatchObject({ signature: 'v1a' });
});
