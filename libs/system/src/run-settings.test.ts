import { readSettings } from '@cadastre/service';
import { expect, it } from 'vitest';
import { runSettings } from './run-settings.js';

const flagsOf = (text: string) =>
  Object.fromEntries(readSettings(runSettings, { CADASTRE_NODE_FLAGS: text }).nodeFlags);

it.each([
  ['CADASTRE_SOURCE', 'ripe', 'RIPE'],
  ['CADASTRE_SOURCE', 'EXAMPLE-2', 'EXAMPLE-2'],
  ['CADASTRE_SOURCE', 'TWO WORDS', /^CADASTRE_SOURCE: must be the name of a source/],
  ['CADASTRE_SOURCE', '../up', /^CADASTRE_SOURCE: must be the name of a source/],
  ['CADASTRE_ENVIRONMENT', 'test', 'test'],
  ['CADASTRE_ENVIRONMENT', 'production', /^CADASTRE_ENVIRONMENT: make run starts a trial, .* docs\/start\/install\.md/],
  ['CADASTRE_ENVIRONMENT', 'staging', /^CADASTRE_ENVIRONMENT: must be/],
])('%s=%s', (name, text, expected) => {
  const read = () => readSettings(runSettings, { [name]: text });
  if (expected instanceof RegExp) expect(read).toThrow(expected);
  else expect(Object.values(read())).toContain(expected);
});

it.each([
  ['', {}],
  ['objects=--cpu-prof', { objects: ['--cpu-prof'] }],
  [
    'objects=--cpu-prof --cpu-prof-dir=/tmp/a=b, gateway=--inspect,objects=--trace-gc',
    { objects: ['--cpu-prof', '--cpu-prof-dir=/tmp/a=b', '--trace-gc'], gateway: ['--inspect'] },
  ],
  ['--cpu-prof', undefined],
  ['postgres=--cpu-prof', undefined],
  ['objects=', undefined],
])('CADASTRE_NODE_FLAGS=%j', (text, flags) => {
  if (flags === undefined) expect(() => flagsOf(text)).toThrow('CADASTRE_NODE_FLAGS: must be NAME=--flag');
  else expect(flagsOf(text)).toEqual(flags);
});
