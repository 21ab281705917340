import { formatMessage, printObject } from '@cadastre/rpsl';
import { describe, expect, test } from 'vitest';
import { objectOf } from '../../tests/write-object.js';
import type { Change } from './change.js';
import { generate } from './generate.js';

const now = new Date('2026-05-06T07:08:09Z');

function run(object: string, stored?: string, certificate?: Parameters<typeof generate>[1]) {
  const change: Change = {
    action: stored === undefined ? 'create' : 'modify',
    key: { shown: '', folded: '' },
    object: objectOf(object),
    stored: stored === undefined ? undefined : objectOf(stored),
  };
  const generated = generate(change, certificate, now);
  const lines = printObject(generated.object).trimEnd().split('\n');
  return { lines: lines.map((line) => line.replace(/: +/, ': ')), said: generated.messages.map(formatMessage) };
}

const replaced = (name: string) => `Supplied attribute '${name}' has been replaced with a generated value`;

describe('G-TIMESTAMPS', () => {
  test('new: both now, in front of source', () => {
    expect(run('person: P\nsource: TEST')).toEqual({
      lines: ['person: P', 'created: 2026-05-06T07:08:09Z', 'last-modified: 2026-05-06T07:08:09Z', 'source: TEST'],
      said: [],
    });
  });

  test('modified: created as stored, last-modified now; supplied values are replaced', () => {
    const stored = 'person: P\ncreated: 2001-01-01T00:00:00Z\nlast-modified: 2002-01-01T00:00:00Z';
    const sent = 'person: P\nlast-modified: 2002-01-01T00:00:00Z\ncreated: 2001-01-01T00:00:00Z\nsource: TEST';
    expect(run(sent, stored)).toEqual({
      lines: ['person: P', 'created: 2001-01-01T00:00:00Z', 'last-modified: 2026-05-06T07:08:09Z', 'source: TEST'],
      said: [replaced('last-modified')],
    });
  });

  test('modified: creation time unknown', () => {
    expect(run('person: P\ncreated: 2001-01-01T00:00:00Z', 'person: P')).toEqual({
      lines: ['person: P', 'last-modified: 2026-05-06T07:08:09Z'],
      said: [replaced('created')],
    });
  });
});

describe('G-KEYCERT-GEN', () => {
  const facts = { method: 'PGP', owners: ['One', 'Two'], fingerprint: '0000 1111  2222' } as const;

  test('stands behind the name; wrong values are replaced', () => {
    const { lines, said } = run('key-cert: PGPKEY-00000001\nowner: Three\nmethod: PGP\ncertif: x', undefined, facts);
    expect(lines.slice(0, 6)).toEqual([
      'key-cert: PGPKEY-00000001',
      'method: PGP',
      'owner: One',
      'owner: Two',
      'fingerpr: 0000 1111  2222',
      'certif: x',
    ]);
    expect(said).toEqual([replaced('owner')]);
  });

  test('values that the registry itself wrote cause no warning', () => {
    const own = 'key-cert: PGPKEY-00000001\nmethod: PGP\nowner: One\nowner: Two\nfingerpr: 0000 1111  2222';
    expect(run(own, undefined, facts).said).toEqual([]);
  });
});
