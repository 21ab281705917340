import { describe, expect, it } from 'vitest';
import { acceptedType, negotiate } from './negotiate.js';

describe('the format of a read by Accept', () => {
  it.each([
    [undefined, 'xml'],
    ['', 'xml'],
    ['*/*', 'xml'],
    ['application/*', 'xml'],
    ['application/xml', 'xml'],
    ['application/json', 'json'],
    ['text/plain', 'text'],
    ['text/*', 'text'],
    ['APPLICATION/JSON', 'json'],
    ['application/json;charset=utf-8', 'json'],
    ['application/xml;q=0.1, application/json', 'json'],
    ['application/json;q=0.5, application/xml;q=0.6', 'xml'],
    ['application/json, application/xml', 'json'],
    ['application/xml, application/json', 'xml'],
    ['*/*, application/json', 'json'],
    ['application/json, text/plain, */*', 'json'],
    ['*/*;q=0.5, application/json;q=0.1', 'xml'],
    ['*/*, application/xml;q=0', 'json'],
    ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', 'xml'],
    ['application/json;q=2, text/plain', 'text'],
    ['nonsense, application/json', 'json'],
    ['text/xml', undefined],
    ['text/html', undefined],
    ['application/json;q=0', undefined],
    ['nonsense', undefined],
  ])('%s gives %s', (accept, format) => {
    expect(negotiate(undefined, accept, true)).toBe(format);
    expect(negotiate(undefined, accept, true)).toBe(format);
  });
});

it.each([
  ['xml', 'xml'],
  ['json', 'json'],
  ['txt', 'text'],
] as const)('the extension .%s wins over Accept', (extension, format) => {
  expect(negotiate(extension, 'text/html', true)).toBe(format);
});

it.each([
  [undefined, 'text/plain', undefined],
  [undefined, 'text/plain, application/json;q=0.1', 'json'],
  [undefined, '*/*', 'xml'],
  ['txt', undefined, undefined],
  ['json', undefined, 'json'],
] as const)('text is not offered to writes: %s, %s', (extension, accept, format) => {
  expect(negotiate(extension, accept, false)).toBe(format);
});

it.each([
  [undefined, undefined, 'application/json'],
  [undefined, '', 'application/json'],
  [undefined, '*/*', 'application/json'],
  [undefined, 'text/*, application/json;q=0.5', 'text/plain'],
  [undefined, 'application/xml', undefined],
  ['txt', 'application/json', 'text/plain'],
  ['xml', 'application/json', undefined],
] as const)('of JSON and text, %s with Accept %s gives %s', (extension, accept, type) => {
  const offered = ['application/json', 'text/plain'] as const;
  expect(acceptedType(offered, accept, extension)).toBe(type);
  expect(acceptedType(offered, accept, extension)).toBe(type);
});
