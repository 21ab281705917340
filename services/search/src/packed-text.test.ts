import { attributeTypes } from '@cadastre/rpsl';
import { expect, test } from 'vitest';
import { type Beside, packText, unpackText } from './packed-text.js';

const beside: Beside = {
  source: 'TEST',
  key: 'jd1-test',
  created: new Date('1999-01-02T03:04:05.678Z'),
  modified: new Date('2026-01-02T03:04:05Z'),
};

test.each([
  ['', 1],
  ['person: x', 10],
  ['person:         Jane Doe\nnic-hdl:        JD1-TEST\nsource:         TEST\n', 16],
  ['created:        1999-01-02T03:04:05Z\nlast-modified:  2026-01-02T03:04:05Z\n', 6],
  ['created:        1999-01-02T03:04:06Z\n', 22],
  ['remarks:\nremarks:          indented\n+               more\n                caf\u00e9\n', 66],
  ['sponsoring-org: ORG-A1-TEST\nassignment-size:48\nassignment-size: 48\n', 22],
  ['other:          value\nperson: short\n', 38],
  ['remarks:        \u0003\n', 19],
  ['remarks:        jd1-test\nremarks:        Jd1-test\n\n', 15],
])('%j takes %i characters and comes back as it was', (text, length) => {
  const packed = packText(text, beside);
  expect(unpackText(packed, beside)).toBe(text);
  expect(packed).toHaveLength(length);
});

test('a text comes back without a time of creation', () => {
  const { created: _, ...others } = beside;
  const text = 'created:        \ncreated:        1999-01-02T03:04:05Z\n';
  expect(unpackText(packText(text, others), others)).toBe(text);
});

test.each(attributeTypes.map(({ name }) => name))('the name of %s takes one character', (name) => {
  const line = `${name}:`.padEnd(16);
  const text = `${line}value\n`;
  const packed = packText(text, beside);
  expect(packed).toHaveLength('?value\n'.length);
  expect(unpackText(packed, beside)).toBe(text);
});
