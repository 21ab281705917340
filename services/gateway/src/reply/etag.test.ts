import type { RegistryObject } from '@cadastre/proto/registry';
import { expect, it } from 'vitest';
import { entityTag, expectedStates, hasAlready, objectTag } from './etag.js';

const tag = entityTag(Buffer.from('one'));

it('the same bytes have the same tag, others have another', () => {
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

const state = { revision: 7, lastModified: new Date('2026-01-02T03:04:05Z') };
const shown = (text: string, of: { revision: number; lastModified?: Date } = state) =>
  objectTag(of as RegistryObject, Buffer.from(text));
const [one, other] = [shown('one'), shown('two')];
const before = { revision: 6, lastModified: new Date('1969-12-31T00:00:00Z') };

it('every representation has a tag of its own, and all name the state', () => {
  expect(one).not.toBe(other);
  expect(hasAlready(one, one)).toBe(true);
  expect(hasAlready(one, other)).toBe(false);
  for (const tag of [one, other]) expect(expectedStates(tag)).toEqual([state]);
});

it.each<[string, string | undefined, unknown]>([
  ['none', undefined, undefined],
  ['any', ' * ', undefined],
  ['a weak tag', `W/${one}`, [state]],
  ['several', `"x", ${one},W/${shown('', before)}`, [state, before]],
  ['no time', shown('', { revision: 1 }), [{ revision: 1, lastModified: new Date(0) }]],
  ['nothing', '', []],
  ['a tag of something else', tag, []],
  ['no quotes', one.slice(1, -1), []],
  ['a revision that is too high', one.replace('7-', '4294967296-'), []],
  ['a revision of many digits', one.replace('7-', '77777777777-'), []],
  ['no hash', `${one.slice(0, 12)}"`, []],
  ['more after the hash', `${one.slice(0, -1)}x"`, []],
])('If-Match with %s', (_what, sent, expected) => {
  expect(expectedStates(sent)).toEqual(expected);
});
