import { expect, test } from 'vitest';
import { readFlags } from './flags.js';

const none = { types: [], source: '', inverse: [], level: '', flags: [] };

test.each([
  ['-i mnt-by EXAMPLE-MNT', 'EXAMPLE-MNT', { inverse: ['mnt-by'] }],
  ['-imb,ml EXAMPLE-MNT', 'EXAMPLE-MNT', { inverse: ['mnt-by', 'mnt-lower'] }],
  ['EXAMPLE-MNT --inverse mnt-by', 'EXAMPLE-MNT', { inverse: ['mnt-by'] }],
  ['--inverse=mnt-by EXAMPLE-MNT', 'EXAMPLE-MNT', { inverse: ['mnt-by'] }],
  ['-B -L 192.0.2.0/24', '192.0.2.0/24', { level: 'all-less', flags: ['no-filtering'] }],
  [
    '-rBGxTin,rt 192.0.2.0 - 192.0.2.9',
    '192.0.2.0 - 192.0.2.9',
    {
      types: ['inetnum', 'route'],
      level: 'exact',
      flags: ['no-grouping', 'no-filtering', 'no-referenced'],
    },
  ],
  ['-s TEST,OTHER-GRS --select-types ROUTE AS64500', 'AS64500', { source: 'TEST,OTHER-GRS', types: ['route'] }],
  ['-T nonsense X', 'X', { types: ['nonsense'] }],
  ['--resource 192.0.2.1', '192.0.2.1', { flags: ['resource'] }],
] as const)('%j requests %j', (written, text, filters) => {
  expect(readFlags(written)).toEqual({ text, filters: { ...none, ...filters }, ignored: [] });
});

test.each([
  ['-K -Fz AS64500', 'AS64500', ['-K', '-F', '-z']],
  ['-V ripe-client AS64500 --list-versions', 'AS64500', ['--client ripe-client', '--list-versions']],
  ['-t nothing', '', ['--template nothing']],
  ['-i', '', []],
])('flags of %j that searches do not have are reported', (written, text, ignored) => {
  expect(readFlags(written)).toEqual({ text, filters: none, ignored });
});

test('a flag names the type whose template it requests', () => {
  expect(readFlags('-t in')).toEqual({ text: '', filters: none, ignored: [], template: 'inetnum' });
});

test.each(['', 'EXAMPLE-MNT', '192.0.2.0 - 192.0.2.9', '192.0.2.0 -192.0.2.9', 'a - b', 'x-y -'])(
  '%j has no flags',
  (written) => {
    expect(readFlags(written)).toBeUndefined();
  },
);
