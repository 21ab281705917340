import { expect, test } from 'vitest';
import { submitted } from '../edit/draft.js';
import { asDraft } from '../edit/object-text.js';
import {
  type AttributeChange,
  changeableAttributes,
  changed,
  isComplete,
  noChange,
  type Operation,
  valuesInUse,
} from './attribute-change.js';

const read = (text: string) => asDraft(text)!;
const asSet = (lines: string) => read(`as-set: AS-ONE\n${lines}source: TEST\n`);
const change = (operation: Operation, attribute: string, from: string, to: string): AttributeChange => {
  return { operation, attribute, from, to };
};
/** The attributes between the key and the source, or why the object does not change. */
const made = (lines: string, ...given: Parameters<typeof change>) => {
  const result = changed(asSet(lines), change(...given));
  if ('unchanged' in result) return result.unchanged;
  return submitted(result.draft)
    .slice(1, -1)
    .map(({ name, value }) => `${name}: ${value}\n`)
    .join('');
};

test.each<[string, string, Parameters<typeof change>, string]>([
  ['a value', 'admin-c: A1-TEST\n', ['replace', 'admin-c', 'A1-TEST', 'B1-TEST'], 'admin-c: B1-TEST\n'],
  [
    'only this value',
    'admin-c: A1-T\nadmin-c: C1-T\ntech-c: A1-T\n',
    ['replace', 'admin-c', 'a1-t', 'B1-T'],
    'admin-c: B1-T\nadmin-c: C1-T\ntech-c: A1-T\n',
  ],
  [
    'a value by one that it has',
    'admin-c: A1-T\nadmin-c: B1-T\n',
    ['replace', 'admin-c', 'A1-T', 'b1-t'],
    'admin-c: B1-T\n',
  ],
  [
    'a value that stands twice',
    'notify: a@b.c\nnotify: A@b.c\n',
    ['replace', 'notify', 'a@b.c', 'd@b.c'],
    'notify: d@b.c\n',
  ],
  ['its letter case', 'notify: A@b.c\n', ['replace', 'notify', 'a@b.c', 'a@b.c'], 'notify: a@b.c\n'],
  [
    'an element of a list',
    'members: AS1, AS2 # both\nmembers: AS3\n',
    ['replace', 'members', 'AS2', 'AS9'],
    'members: AS1, AS9 # both\nmembers: AS3\n',
  ],
  [
    'an element of a list over lines',
    'members: AS1, # one\n AS2,\n AS3\n',
    ['remove', 'members', 'AS2', ''],
    'members: AS1, AS3 # one\n',
  ],
  [
    'a value with a comment',
    'mnt-by: A-MNT ## ours #1\n',
    ['replace', 'mnt-by', 'A-MNT', 'B-MNT'],
    'mnt-by: B-MNT ## ours #1\n',
  ],
  [
    'the last element of a list',
    'mnt-by: A-MNT\nmnt-by: B-MNT\n',
    ['remove', 'mnt-by', 'B-MNT', ''],
    'mnt-by: A-MNT\n',
  ],
  ['every value', 'notify: a@b.c\ndescr: x\nnotify: d@b.c\n', ['clear', 'notify', '', ''], 'descr: x\n'],
  [
    'a new value',
    'mnt-by: A-MNT\nremarks: x\n',
    ['add', 'mnt-by', '', ' B-MNT '],
    'mnt-by: A-MNT\nmnt-by: B-MNT\nremarks: x\n',
  ],
  ['a first value', 'mnt-by: A-MNT\n', ['add', 'org', '', 'ORG-A1-T'], 'org: ORG-A1-T\nmnt-by: A-MNT\n'],
  ['the only value', 'notify: a@b.c\nnotify: d@b.c\n', ['set', 'notify', '', 'e@b.c'], 'notify: e@b.c\n'],
  ['a value where there is none', 'mnt-by: A-MNT\n', ['set', 'notify', '', 'e@b.c'], 'notify: e@b.c\nmnt-by: A-MNT\n'],
  ['one of two', 'notify: a@b.c\nnotify: e@b.c\n', ['set', 'notify', '', 'e@b.c'], 'notify: e@b.c\n'],
])('changes %s', (_what, lines, given, expected) => {
  expect(made(lines, ...given)).toBe(expected);
});

test.each<[Parameters<typeof change>, string]>([
  [['replace', 'admin-c', 'B1-TEST', 'C1-TEST'], 'It has no “admin-c: B1-TEST”.'],
  [['remove', 'admin-c', 'B1-TEST', ''], 'It has no “admin-c: B1-TEST”.'],
  [['clear', 'notify', '', ''], 'It has no “notify”.'],
  [['add', 'admin-c', '', 'a1-test'], 'It has this value already.'],
  [['set', 'admin-c', '', 'a1-test'], 'It has this value already.'],
  [['add', 'origin', '', 'AS1'], 'Objects of type as-set have no “origin”.'],
])('%j leaves an object as it is', (given, why) => {
  expect(made('admin-c: A1-TEST\norg: ORG-A1-TEST\n', ...given)).toBe(why);
});

test('an attribute that an object may have once is not added twice', () => {
  const network = read('inetnum: 192.0.2.0 - 192.0.2.255\norg: ORG-A1-TEST\nsource: TEST\n');
  const why = 'It can have only one “org”, and has ORG-A1-TEST.';
  expect(changed(network, change('add', 'org', '', 'ORG-B1-TEST'))).toEqual({ unchanged: why });
});

test('mandatory attributes that a text lacks are no values', () => {
  expect(made('', 'replace', 'mnt-by', '', 'A-MNT')).toBe('It has no “mnt-by: ”.');
  expect(made('', 'add', 'mnt-by', '', 'A-MNT')).toBe('mnt-by: A-MNT\n');
});

test.each<[Partial<AttributeChange>, boolean]>([
  [{}, false],
  [{ attribute: 'admin-c' }, false],
  [{ attribute: 'admin-c', from: 'A' }, false],
  [{ attribute: 'admin-c', to: 'B' }, false],
  [{ attribute: 'admin-c', from: 'A', to: 'B' }, true],
  [{ attribute: 'admin-c', operation: 'remove' }, false],
  [{ attribute: 'admin-c', operation: 'remove', from: 'A' }, true],
  [{ attribute: 'admin-c', operation: 'clear' }, true],
  [{ attribute: 'admin-c', operation: 'add', to: ' ' }, false],
  [{ attribute: 'admin-c', operation: 'set', to: 'B' }, true],
])('%j is complete: %s', (given, expected) => {
  expect(isComplete({ ...noChange, ...given })).toBe(expected);
});

test('the values in use, with the number of objects of each', () => {
  const drafts = [
    asSet('members: AS1, AS2\nmembers: as1\n'),
    asSet('members: AS2\n'),
    asSet('members:\nadmin-c: A1-T\n'),
    read('route: 192.0.2.0/24\n'),
  ];
  expect(valuesInUse(drafts, 'members')).toEqual([
    { value: 'AS2', objects: 2 },
    { value: 'as1', objects: 1 },
  ]);
});

test('attributes to change are those of some type, without keys, source and what the registry writes', () => {
  const names = changeableAttributes(['route', 'person']);
  expect(names).toEqual(expect.arrayContaining(['mnt-by', 'holes', 'phone']));
  for (const name of ['route', 'origin', 'person', 'nic-hdl', 'source', 'created', 'last-modified']) {
    expect(names).not.toContain(name);
  }
});
