import { expect, test } from 'vitest';
import { type AttributeChange, noChange } from './attribute-change.js';
import { planOf } from './plan.js';
import type { StoredTexts } from './stored-texts.js';

const set = (key: string) => ({ source: 'TEST', type: 'as-set', key });
const names = ['AS-A', 'AS-B', 'AS-GONE'].map(set);
const stored: StoredTexts = new Map([
  ['TEST/as-set/AS-A', { text: 'as-set: AS-A\ntech-c: T1-TEST\nlast-modified: x\nsource: TEST\n', tag: '"a"' }],
  ['TEST/as-set/AS-B', { text: 'as-set: AS-B\ntech-c: T2-TEST\nsource: TEST\n', tag: '"b"' }],
  ['TEST/as-set/AS-GONE', undefined],
]);
const replace: AttributeChange = { operation: 'replace', attribute: 'tech-c', from: 'T1-TEST', to: 'T9-TEST' };
const unchangedOf = ({ unchanged }: ReturnType<typeof planOf>) => unchanged.map(({ name, why }) => [name.key, why]);

test('changes the objects that it concerns, in the states that the user sees, and reports why others do not change', () => {
  const plan = planOf(names, stored, replace);
  expect(plan.drafts).toHaveLength(2);
  expect(plan.proposals).toEqual([
    {
      type: 'as-set',
      name: set('AS-A'),
      before: stored.get('TEST/as-set/AS-A')!.text,
      attributes: [
        { name: 'as-set', value: 'AS-A' },
        { name: 'tech-c', value: 'T9-TEST' },
        { name: 'source', value: 'TEST' },
      ],
      tag: '"a"',
      isDeletion: false,
    },
  ]);
  expect(unchangedOf(plan)).toEqual([
    ['AS-B', 'It has no “tech-c: T1-TEST”.'],
    ['AS-GONE', 'It does not exist.'],
  ]);
});

test('before the change is complete it only reports which objects do not exist', () => {
  expect(planOf(names, stored, noChange)).toMatchObject({ proposals: [], unchanged: [{ name: set('AS-GONE') }] });
});

test('a change to the same text is not a change', () => {
  const plan = planOf([set('AS-A')], stored, { ...replace, to: 'T1-TEST' });
  expect([plan.proposals, unchangedOf(plan)]).toEqual([[], [['AS-A', 'It has this value already.']]]);
});
