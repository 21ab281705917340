import { expect, test } from 'vitest';
import { readNotification, writeNotification } from './notification.js';
import { notification } from './signed.fixture.js';

const written = (changes: object = {}) => ({
  ...JSON.parse(writeNotification(notification(3, [2, 3, 4]))),
  ...changes,
});
const faultsOf = (document: unknown) => {
  const read = readNotification(JSON.stringify(document));
  return read.ok ? [] : read.faults;
};

test('what is written is read', () => {
  for (const given of [notification(1, []), notification(3, [2, 3, 4], { nextSigningKey: 'a key' })]) {
    expect(readNotification(writeNotification(given))).toEqual({ ok: true, value: given });
  }
});

test('absent members are not written, and deltas are written when there are none', () => {
  const document = JSON.parse(writeNotification(notification(1, [])));
  expect(Object.keys(document)).toEqual([
    ...['nrtm_version', 'timestamp', 'type', 'source', 'session_id', 'version', 'snapshot', 'deltas'],
  ]);
  expect(document.deltas).toEqual([]);
});

test.each([
  ['unknown members', { metadata: { a: 1 } }],
  ['a key that is null', { next_signing_key: null }],
  ['a timestamp with microseconds', { timestamp: '2026-01-02T03:04:05.123456Z' }],
  ['a session in capitals', { session_id: '43EF4645-8DD4-4352-878E-390D7ACC11E4' }],
])('%s are accepted', (_, changes) => {
  expect(faultsOf(written(changes))).toEqual([]);
});

const hash = 'a'.repeat(64);

test.each([
  ['nrtm_version', { nrtm_version: 3 }],
  ['type', { type: 'snapshot' }],
  ['source', { source: '' }],
  ['session_id', { session_id: 'a' }],
  ['version', { version: 0 }],
  ['version', { version: 5 }],
  ['timestamp', { timestamp: 'yesterday' }],
  ['next_signing_key', { next_signing_key: 5 }],
  ['snapshot', { snapshot: undefined }],
  ['snapshot', { snapshot: [{ version: 3, url: 'a', hash }] }],
  ['snapshot', { snapshot: { version: 3, url: 'a', hash: hash.toUpperCase() } }],
  ['snapshot', { snapshot: { version: 3, url: 'a'.repeat(2_001), hash } }],
  ['deltas', { deltas: undefined }],
  ['delta', { deltas: [{ version: 2, url: '', hash }] }],
  ['order', { deltas: [2, 4].map((version) => ({ version, url: 'a', hash })) }],
  ['order', { deltas: [4, 3].map((version) => ({ version, url: 'a', hash })) }],
  ['version 1', { version: 3, deltas: [1, 2].map((version) => ({ version, url: 'a', hash })) }],
  ['continue', { version: 6, deltas: [5, 6].map((version) => ({ version, url: 'a', hash })) }],
])('a fault of %s is found: %j', (member, changes) => {
  expect(faultsOf(written(changes)).join()).toContain(member);
});

test('all faults are found at once', () => {
  expect(faultsOf(written({ nrtm_version: 3, source: 4, deltas: 4 }))).toHaveLength(3);
});

test.each(['', '[]', 'null', '"a"', '{'])('%j is no notification', (text) => {
  expect(readNotification(text)).toEqual({ ok: false, faults: ['The notification is no JSON object'] });
});
