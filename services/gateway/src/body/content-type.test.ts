import { expect, it } from 'vitest';
import { readContentType } from './content-type.js';
import { refusedBy } from './refused.fixture.js';

it.each([
  ['application/xml', { format: 'xml', charset: undefined }],
  ['application/json', { format: 'json', charset: undefined }],
  ['Application/JSON; charset=UTF-8', { format: 'json', charset: 'UTF-8' }],
  ['application/xml;charset="iso-8859-1"', { format: 'xml', charset: 'iso-8859-1' }],
  ['application/xml; version=1 ; charset = latin1', { format: 'xml', charset: 'latin1' }],
])('%s is accepted', (header, type) => {
  expect(readContentType(header)).toEqual(type);
});

it.each([undefined, '', ' ', 'text/xml', 'text/plain', 'application/x-www-form-urlencoded', 'nonsense', '__proto__'])(
  '%s is refused with 415 (F4)',
  (header) => {
    expect(refusedBy(() => readContentType(header)).status).toBe(415);
  },
);
