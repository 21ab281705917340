import { parseObject, primaryKey } from '@cadastre/rpsl';
import { describe, expect, test } from 'vitest';
import { groupsOf, type Update, withKeys } from './updates.js';

function update(text: string, deletions: string[] = []): Update {
  const parsed = parseObject(text);
  if (!parsed.ok) throw new Error(text);
  const key = primaryKey(parsed.object);
  return { object: parsed.object, key: 'messages' in key ? undefined : key, deletions, principal: undefined };
}
const person = (handle: string, mntner = 'A-MNT') => update(`person: Some Body\nnic-hdl: ${handle}\nmnt-by: ${mntner}`);
const mntner = (name: string, contact: string) =>
  update(`mntner: ${name}\nadmin-c: ${contact}\nauth: SSO a@example.net`);

describe('updates are written together', () => {
  const auto = person('AUTO-1');
  const other = person('AUTO-2XY');
  const uses = mntner('B-MNT', 'auto-1');
  const plain = mntner('AUTO-1-MNT', 'AE1-TEST');
  const both = update('role: Desk\nnic-hdl: AUTO-3\nadmin-c: AUTO-1\ntech-c: AUTO-2\n');
  const gone = update('person: Some Body\nnic-hdl: AUTO-1', ['x']);

  test.each<[string, Update[], Update[][]]>([
    ['when one refers to the placeholder of another', [uses, plain, auto], [[uses, auto], [plain]]],
    ['when they are tied by a third', [auto, other, both], [[auto, other, both]]],
    ['but not with different ones', [auto, other], [[auto], [other]]],
    ['but not when one goes', [auto, gone], [[auto], [gone]]],
  ])('%s', (_, updates, expected) => {
    expect(groupsOf(updates)).toEqual(expected);
  });
});

test('generated keys replace placeholders that refer to an object, not those that name one', () => {
  const generated = new Map([['auto-1', 'SB1-TEST']]);
  const raws = (one: Update) => withKeys(one, generated).object.attributes.map(({ raw }) => raw.trim());
  expect(raws(update('role: AUTO-1\nnic-hdl: AUTO-3\nadmin-c: auto-1XY # AUTO-1\nremarks: AUTO-1'))).toEqual([
    'AUTO-1',
    'AUTO-3',
    'SB1-TEST # AUTO-1',
    'AUTO-1',
  ]);
});
