import { expect, it } from 'vitest';
import { entityTag, hasAlready } from './etag.js';

const tag = entityTag(Buffer.from('one'));

it('the same bytes have the same tag, others another', () => {
  expect(entityTag(Buffer.from('one'))).toBe(tag);
  expect(entityTag(Buffer.from('two'))).not.toBe(tag);
  expect(tag).toMatch(/^"[\x21\x23-\x7e]+"$/);
});

it.each([
  [undefined, false],
  ['', false],
  [tag, true],
  [`W/${tag}`, true],
  ['*', true],
  [`"other", ${tag}`, true],
  [`"a,b",W/"c" , ${tag}`, true],
  ['"other"', false],
  [tag.slice(1, -1), false],
  [`"x${tag}`, false],
  ['"unclosed', false],
])('If-None-Match: %s', (sent, expected) => {
  expect(hasAlready(sent, tag)).toBe(expected);
});
