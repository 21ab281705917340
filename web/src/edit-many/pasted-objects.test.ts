import { expect, test } from 'vitest';
import { submitted } from '../edit/draft.js';
import { hasSeveralObjects, pastedObjects, proposalsOf } from './pasted-objects.js';

const route = 'route: 192.0.2.0/24\norigin: AS64500\nsource: TEST\n';
const person = 'person: Wanda Walker\nnic-hdl: AUTO-1\nsource: TEST\n';

/** Each object in short. */
const read = (text: string) =>
  pastedObjects(text, 'TEST').map((one) =>
    'fault' in one
      ? `fault in ${one.text.trim()}`
      : `${one.draft.type} ${one.name?.key ?? 'new'}${one.deletion === undefined ? '' : `, deleted: ${one.deletion}`}`,
  );

test.each<[string, string, string[]]>([
  ['one object', route, ['route 192.0.2.0/24AS64500']],
  ['several', `${route}\n${person}`, ['route 192.0.2.0/24AS64500', 'person new']],
  [
    'many blank lines, and those of other systems',
    `\n\n${route}\r\n \r\n\r\n${person}\n\n`,
    ['route 192.0.2.0/24AS64500', 'person new'],
  ],
  ['the result of a query', `% Comment\n\n% More\n${route}\n# End\n`, ['route 192.0.2.0/24AS64500']],
  ['a deletion', `${route}delete: no longer used\n`, ['route 192.0.2.0/24AS64500, deleted: no longer used']],
  ['no object', `${route}\nDear colleague,\n`, ['route 192.0.2.0/24AS64500', 'fault in Dear colleague,']],
  ['an object without its key', 'route: 192.0.2.0/24\nsource: TEST\n', ['route new']],
  ['nothing', ' \n\n% nothing\n', []],
])('%s', (_what, text, expected) => {
  expect(read(text)).toEqual(expected);
});

test('the attribute that deletes is not sent', () => {
  const [one] = pastedObjects(`${route}delete: gone\n`, 'TEST');
  expect('draft' in one! && submitted(one.draft).map(({ name }) => name)).toEqual(['route', 'origin', 'source']);
});

test('objects that exist are changed in the state that the user sees, others are created, and some deleted', () => {
  const set = 'as-set: AS-A\nsource: TEST\n';
  const stored = new Map([
    ['TEST/route/192.0.2.0/24AS64500', { text: 'old', tag: '"r"' }],
    ['TEST/as-set/AS-A', undefined],
  ]);
  const text = [route, person, set, `${route}delete: gone\n`, `${set}delete: gone\n`, `${set}delete: moved\n`].join(
    '\n',
  );
  const { proposals, reason } = proposalsOf(pastedObjects(text, 'TEST'), stored);
  expect(proposals.map(({ before, tag, isDeletion }) => [before, tag, isDeletion])).toEqual([
    ['old', '"r"', false],
    ['', '', false],
    ['', '', false],
    ['old', '"r"', true],
    ['', '', true],
    ['', '', true],
  ]);
  expect(reason).toBe('gone; moved');
});

test.each([
  [`${route}\n${person}`, true],
  [route, false],
  [`${route}\n\n`, false],
  [`${route}\nDear colleague,\n`, false],
  ['', false],
])('%j has several objects: %s', (text, expected) => {
  expect(hasSeveralObjects(text)).toBe(expected);
});
