import { expect, test } from 'vitest';
import { attributeText, printObject } from './layout.js';
import { parsed } from './parsed.fixture.js';

const pad = ' '.repeat(16);

test.each([
  ['descr', 'x', '          x'],
  ['descr', '   x   y  ', '          x   y'],
  ['descr', '\tx\ty\r', '          x y'],
  ['descr', '', ''],
  ['descr', '  \t', ''],
  ['descr', ' x # y', '          x # y'],
  ['descr', ' x\n y\n\tz', `          x\n${pad}y\n${pad}z`],
  ['descr', ' x\n+y', `          x\n+${' '.repeat(15)}y`],
  ['descr', ' x\n+  y', `          x\n+${' '.repeat(15)}y`],
  ['descr', ' x\n   \n+\n+ ', '          x\n+\n+\n+'],
  ['descr', ' \n x', `\n${pad}x`],
  ['last-modified', 'x', '  x'],
  ['assignment-size', ' 48', ' 48'],
  ['assignment-size', '48 ', '48'],
])('%s with %j prints as %j', (name, raw, text) => {
  expect(attributeText({ name, raw })).toBe(text);
});

test('values start at column 16 and the text ends with one line end', () => {
  expect(printObject(parsed('mntner:A\ndescr:  b\n c\nsource: TEST'))).toBe(
    `mntner:         A\ndescr:          b\n${pad}c\nsource:         TEST\n`,
  );
});
