import { expect, test } from 'vitest';
import { readSourceAliases } from './source-aliases.js';
import { readSources, sourceNames, sourceOf } from './sources.js';

const stores = { main: 'EXAMPLE', mirrors: ['RIPE', 'RADB-GRS'] };

test('an alias stands for its sources, in their order, each once', () => {
  const aliases = readSourceAliases(
    [
      ['secure', ['RIPE', 'example', 'ripe']],
      ['RADB', ['RADB-GRS']],
    ],
    stores,
  );
  const known = { ...stores, aliases };
  expect(sourceNames(['Secure', 'radb', 'EXAMPLE', 'nope'], known)).toEqual(['RIPE', 'EXAMPLE', 'RADB-GRS', 'NOPE']);
  expect(readSources(['secure', 'RADB'], known)).toMatchObject({
    ok: true,
    value: [{ names: ['RIPE'] }, { names: ['EXAMPLE'] }, { names: ['RADB-GRS'] }],
  });
  expect(readSources(['secure', 'nope'], known)).toMatchObject({ ok: false, messages: [{ args: ['nope'] }] });
  // One source only where there can be no more.
  expect(sourceOf('RADB', known)).toMatchObject({ store: 'RADB-GRS' });
  expect(sourceOf('SECURE', known)).toBeUndefined();
});

test.each<[string, [string, string[]][], string]>([
  ['the name of a source', [['ripe', ['EXAMPLE']]], 'RIPE is a source'],
  ['that of a part', [['EXAMPLE-NONAUTH', ['EXAMPLE']]], 'EXAMPLE-NONAUTH is a source'],
  ['that of the copy of the main source', [['EXAMPLE-GRS', ['EXAMPLE']]], 'EXAMPLE-GRS is a source'],
  ['an unknown source', [['A', ['EXAMPLE', 'nope']]], 'A: unknown source NOPE'],
  [
    'another alias',
    [
      ['A', ['EXAMPLE']],
      ['B', ['A']],
    ],
    'B: unknown source A',
  ],
  [
    'a name that comes twice',
    [
      ['A', ['EXAMPLE']],
      ['a', ['RIPE']],
    ],
    'A is there twice',
  ],
  ['a name that no query can have', [['A:B', ['EXAMPLE']]], '"A:B" is no name of a source'],
])('an alias is refused with %s', (_what, entries, fault) => {
  expect(() => readSourceAliases(entries, stores)).toThrow(`CADASTRE_SOURCE_ALIASES: ${fault}`);
});
