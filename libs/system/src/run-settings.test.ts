import { readSettings } from '@cadastre/service';
import { expect, it } from 'vitest';
import { runSettings } from './run-settings.js';

const flagsOf = (text: string) =>
  Object.fromEntries(readSettings(runSettings, { CADASTRE_NODE_FLAGS: text }).nodeFlags);

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
