import { expect, test } from 'vitest';
import { joinSetParts, type SetPart, setInParts } from './set-parts.js';

const set = {
  ...({ type: 'as-set', name: 'AS-A', source: 'OTHER' } as const),
  asNumbers: Uint32Array.of(64500, 64501, 64502),
  members: ['AS-B', 'AS-C'],
  joined: ['AS64503', 'AS64504'],
};
const empty = { type: 'as-set', name: 'AS-EMPTY', asNumbers: new Uint32Array(0), members: [], joined: [] } as const;
const whole = {
  ...{ type: 'as-set', name: 'OTHER::AS-A' },
  members: ['AS64500', 'AS64501', 'AS64502', 'AS-B', 'AS-C'],
  joined: ['AS64503', 'AS64504'],
};

test.each([
  [1, 7],
  [2, 4],
  [4, 2],
  [7, 1],
  [100, 1],
])('a set with seven values in parts of at most %i are %i parts, which make the set again', async (max, count) => {
  const parts: SetPart[] = [];
  let pauses = 0;
  for (const one of [set, empty]) {
    for await (const part of setInParts(one, max, async () => pauses++)) parts.push(part);
  }
  expect([parts.length, pauses]).toEqual([count + 1, count + 1]);
  expect(parts.every(({ members, joined }) => members.length + joined.length <= max)).toBe(true);
  expect(joinSetParts(parts)).toEqual([whole, { type: 'as-set', name: 'AS-EMPTY', members: [], joined: [] }]);
});
