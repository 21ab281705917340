import { assert, constantFrom, property, record, uniqueArray } from 'fast-check';
import { expect, test } from 'vitest';
import type { Written } from './draft.js';
import { hasYourChanges, isConflict, merge, mergedText, mergeTexts, settled } from './merge.js';

/** Attributes of a text such as "descr: one / remarks: two". */
const read = (text: string): Written[] =>
  text === ''
    ? []
    : text.split(' / ').map((line) => {
        const [name, value] = line.split(': ');
        return { name: name!, value: value! };
      });
const print = (attributes: readonly Written[]) => attributes.map(({ name, value }) => `${name}: ${value}`).join(' / ');
const isMultiple = (name: string) => name !== 'org';
const merged = (stored: string, theirs: string, yours: string) =>
  merge({ stored: read(stored), theirs: read(theirs), yours: read(yours) }, isMultiple);

const base = 'person: P / phone: 1 / remarks: a / remarks: b / mnt-by: M';

test.each([
  ['nothing', base, base, base, base],
  ['your change', base, base, base.replace('1', '2'), base.replace('1', '2')],
  ['their change', base, base.replace('1', '2'), base, base.replace('1', '2')],
  ['the same change of both', base, base.replace('1', '2'), base.replace('1', '2'), base.replace('1', '2')],
  [
    'changes of attributes far apart',
    base,
    base.replace('M', 'N'),
    base.replace('P', 'Q'),
    'person: Q / phone: 1 / remarks: a / remarks: b / mnt-by: N',
  ],
  [
    'changes of neighbouring attributes',
    base,
    base.replace('1', '2'),
    base.replace('P', 'Q'),
    'person: Q / phone: 2 / remarks: a / remarks: b / mnt-by: M',
  ],
  [
    'changes of neighbouring values of one attribute',
    base,
    base.replace('remarks: a', 'remarks: x'),
    base.replace('remarks: b', 'remarks: y'),
    'person: P / phone: 1 / remarks: x / remarks: y / mnt-by: M',
  ],
  [
    'values that both add',
    'a: 1',
    'a: 1 / mnt-by: X / mnt-by: Z',
    'a: 1 / mnt-by: Y / mnt-by: Z',
    'a: 1 / mnt-by: X / mnt-by: Z / mnt-by: Y',
  ],
  [
    'changes of two values that were equal',
    'a: 1 / remarks: x / remarks: x',
    'a: 1 / remarks: y / remarks: x',
    'a: 1 / remarks: x / remarks: z',
    'a: 1 / remarks: y / remarks: z',
  ],
  ['what both remove', base, 'person: P / mnt-by: M', 'person: P / mnt-by: M', 'person: P / mnt-by: M'],
  [
    'your removal beside their addition',
    'a: 1 / b: 2 / c: 3',
    'a: 1 / b: 2 / c: 3 / d: 4',
    'a: 1 / c: 3',
    'a: 1 / c: 3 / d: 4',
  ],
  [
    'attributes that you could not see before',
    'a: 1 / c: 3',
    'a: 1 / secret: s / c: 3',
    'a: 2 / c: 3',
    'a: 2 / secret: s / c: 3',
  ],
])('takes over %s', (_what, stored, theirs, yours, expected) => {
  const stretches = merged(stored, theirs, yours);
  expect(stretches.filter(isConflict)).toEqual([]);
  expect(print(settled(stretches, new Map()))).toBe(expected);
});

test.each([
  ['a value that both change', 'a: 1 / b: 2', 'a: 1 / b: 3', 'a: 1 / b: 4'],
  ['a value that one changes and one removes', 'a: 1 / b: 2', 'a: 1', 'a: 1 / b: 4'],
  ['a single attribute that both add', 'a: 1', 'a: 1 / org: X', 'a: 1 / org: Y'],
  ['values that one moves and one changes', 'b: 2 / b: 3', 'b: 3 / b: 2', 'b: 2 / b: 4'],
])('leaves the choice in %s', (_what, stored, theirs, yours) => {
  const stretches = merged(stored, theirs, yours);
  const conflict = stretches.findIndex(isConflict);
  expect(stretches.filter(isConflict)).toHaveLength(1);
  expect(print(settled(stretches, new Map([[conflict, 'theirs']])))).toBe(theirs);
  expect(print(settled(stretches, new Map([[conflict, 'yours']])))).toBe(yours);
});

test('two editors lose no value without a question', () => {
  const attribute = record({ name: constantFrom('m', 'n', 'org'), value: constantFrom('a', 'b', 'c', 'd') });
  const text = uniqueArray(attribute, { maxLength: 6, selector: ({ name, value }) => `${name}: ${value}` });
  const has = (list: readonly Written[], one: Written) =>
    print(list)
      .split(' / ')
      .includes(print([one]));
  // One assertion for all: a hundred thousand take seconds.
  assert(
    property(text, text, text, (stored, theirs, yours) => {
      const stretches = merge({ stored, theirs, yours }, isMultiple);
      const conflicts = stretches.flatMap((stretch, index) => (isConflict(stretch) ? [{ stretch, index }] : []));
      for (const choice of ['theirs', 'yours'] as const) {
        const result = settled(stretches, new Map(conflicts.map(({ index }) => [index, choice])));
        for (const one of [...theirs, ...yours]) {
          const isRemoved = has(stored, one) && !(has(theirs, one) && has(yours, one));
          const isRequested = conflicts.some(({ stretch }) => has([...stretch.theirs, ...stretch.yours], one));
          if (!isRemoved && !isRequested && !has(result, one)) return false;
        }
        if (!result.every((one) => has([...theirs, ...yours], one))) return false;
      }
      return true;
    }),
    { numRuns: 5_000 },
  );
});

test('says who changed what', () => {
  const stretches = merged(
    'a: 1 / b: 2 / c: 3 / d: 4 / e: 5',
    'a: 1 / b: 3 / c: 3 / d: 4 / e: 5',
    'a: 1 / b: 2 / c: 3 / d: 5 / e: 5',
  );
  expect(stretches.map(({ by }) => by)).toEqual(['nobody', 'them', 'nobody', 'you', 'nobody']);
});

test('an attribute that one side adds beside a conflict is of that side', () => {
  const stretches = merged('descr: a', 'descr: b', 'descr: c / remarks: x');
  expect(stretches.map(({ by }) => by)).toEqual([undefined, 'you']);
});

test('spaces around a value are no change', () => {
  expect(merged('a: 1 / b: 2', 'a:   1 / b: 3', 'a: 1 / b: 2').some(isConflict)).toBe(false);
});

const object = (descr: string, rest = '') =>
  `as-set:         AS-X\ndescr:          ${descr}\n${rest}mnt-by:         A-MNT\nlast-modified:  2026-01-0${rest.length % 9}T00:00:00Z\nsource:         TEST\n`;
const tagged = (text: string) => ({ text, tag: '"1"' });

test('their addition and your change make one object', () => {
  const result = mergeTexts(object('one'), object('two'), tagged(object('one', 'remarks:        theirs\n')))!;
  expect(hasYourChanges(result)).toBe(false);
  const text = mergedText(result, settled(result.stretches, new Map()));
  expect(text).toBe(object('two', 'remarks:        theirs\n'));
});

test('an attribute that a type has once is a conflict when both add it', () => {
  const inetnum = 'inetnum:        192.0.2.0 - 192.0.2.255\nmnt-by:         A-MNT\nsource:         TEST\n';
  const org = (key: string) => inetnum.replace('mnt-by', `org:            ${key}\nmnt-by`);
  const result = mergeTexts(inetnum, org('ORG-A1-TEST'), tagged(org('ORG-B1-TEST')))!;
  expect(result.stretches.filter(isConflict)).toHaveLength(1);
});

test('what is stored already is recognised', () => {
  const theirs = tagged(object('two', 'remarks:        theirs\n'));
  expect(hasYourChanges(mergeTexts(object('one'), object('two'), theirs)!)).toBe(true);
});

test('a value that both added beside another is not stored already', () => {
  const theirs = tagged(object('one', 'remarks:        theirs\n'));
  const result = mergeTexts(object('one'), object('one', 'remarks:        yours\n'), theirs)!;
  expect(hasYourChanges(result)).toBe(false);
  const text = mergedText(result, settled(result.stretches, new Map()));
  expect(text).toContain('remarks:        theirs\nremarks:        yours\n');
});

test('texts that are not objects have no merge', () => {
  expect(mergeTexts(object('one'), 'nothing', tagged(object('two')))).toBeUndefined();
});
