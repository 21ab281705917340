import { allFlags, type Flag } from '@cadastre/query/browser';
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
  ['-V ripe-client AS64500 --list-versions', 'AS64500', ['-V ripe-client', '--list-versions']],
  ['-t nothing', '', ['-t nothing']],
  ['-i', '', []],
])('flags of %j that searches do not have are reported', (written, text, ignored) => {
  expect(readFlags(written)).toEqual({ text, filters: none, ignored });
});

/** The flags of the query line that searches here do not have, and why. */
const leftOut: { readonly [flag in Flag]?: string } = {
  'abuse-contact': 'every answer about a resource has its abuse contact',
  brief: 'a form of texts',
  'primary-keys': 'a form of texts',
  'persistent-connection': 'pages have no connection',
  'all-sources': 'a search names its sources',
  q: 'the registry describes itself on other pages',
  'list-sources': 'a page of its own',
  version: 'the registry describes itself on other pages',
  types: 'each type has a page',
  client: 'names a program',
  'list-versions': 'the history of an object',
  'diff-versions': 'the history of an object',
  'show-version': 'the history of an object',
  charset: 'pages have one character set',
};

test.each(allFlags)('the flag %s has an effect, or is reported', (flag) => {
  const { filters, ignored, template } = readFlags(`${flag.length === 1 ? '-' : '--'}${flag} route X`)!;
  const hasEffect = JSON.stringify(filters) !== JSON.stringify(none) || template !== undefined;
  expect([hasEffect, ignored.length > 0]).toEqual(flag in leftOut ? [false, true] : [true, false]);
});

test('whois(1) has -R for its own use', () => {
  expect(readFlags('-rR AS64500')).toMatchObject({ filters: { flags: ['no-referenced'] }, ignored: [] });
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
