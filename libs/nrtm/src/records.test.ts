import { expect, test } from 'vitest';
import { fileName, parseFileName } from './file-names.js';
import {
  type Change,
  changeRecord,
  headerRecord,
  objectRecord,
  readChange,
  readHeader,
  readObject,
} from './records.js';
import { sessionId } from './signed.fixture.js';

const header = { kind: 'delta', source: 'EXAMPLE', sessionId, version: 4 } as const;

test('what is written is read', () => {
  const changes: Change[] = [
    { action: 'add_modify', object: 'route: 192.0.2.0/24\n' },
    { action: 'delete', objectClass: 'route', primaryKey: '192.0.2.0/24AS64500' },
  ];
  expect(readHeader(headerRecord(header), header)).toEqual({ ok: true, value: header });
  expect(readObject(objectRecord('a: b\n'))).toEqual({ ok: true, value: 'a: b\n' });
  for (const change of changes) expect(readChange(changeRecord(change))).toEqual({ ok: true, value: change });
});

test('a header in other letter case, and with further members, is the same', () => {
  const written = { ...headerRecord(header), source: 'example', session_id: sessionId.toUpperCase(), more: 1 };
  expect(readHeader(written, header).ok).toBe(true);
});

test.each([
  ['another kind', { type: 'snapshot' }, 1],
  ['another source', { source: 'OTHER' }, 1],
  ['another session', { session_id: sessionId.replace('4', '5') }, 1],
  ['another version', { version: 3 }, 1],
  ['another protocol', { nrtm_version: 3 }, 1],
  ['nothing right', { nrtm_version: 3, type: 1, source: 1, session_id: 1, version: '4' }, 5],
])('a header with %s is refused with all faults', (_, changes, faults) => {
  const read = readHeader({ ...headerRecord(header), ...changes }, header);
  expect(read.ok || read.faults).toHaveLength(faults);
});

test.each([
  null,
  1,
  'a',
  [],
  {},
  { object: 1 },
  { action: 'add_modify' },
  { action: 'delete', object_class: 'route' },
  { action: 'purge' },
])('%j is no record', (record) => {
  expect(readObject(record).ok || readChange(record).ok).toBe(false);
  expect(readHeader(record, header).ok).toBe(false);
});

test.each([16, 32])('names of files with %d random digits say what they are, and others are none of ours', (digits) => {
  const file = {
    kind: 'snapshot',
    version: 12,
    source: 'EXAMPLE-GRS',
    sessionId,
    random: '0a'.repeat(digits / 2),
  } as const;
  const name = `nrtm-snapshot.12.EXAMPLE-GRS.${sessionId}.${file.random}.json.gz`;
  expect(fileName(file)).toBe(name);
  expect(parseFileName(name)).toEqual(file);
  for (const other of [
    `${name}.part`,
    `../${name}`,
    name.replace('12', '0'),
    name.replace('snapshot', 'dump'),
    name.replace('0a.', '.'),
    '',
  ]) {
    expect(parseFileName(other)).toBeUndefined();
  }
});
