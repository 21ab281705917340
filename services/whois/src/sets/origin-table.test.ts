import { expect, test } from 'vitest';
import { createOriginTable } from './origin-table.js';
import type { Family } from './prefix-list.js';

/** A random number below another; the same ones in each run. */
function randomNumbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const random = randomNumbers(7);

function randomPrefix(): { family: Family; prefix: Uint32Array } {
  const length = 8 + random(17);
  if (random(3) > 0) return { family: 4, prefix: Uint32Array.of(random(2_000) << 16, length) };
  return { family: 6, prefix: Uint32Array.of(0x2001_0db8, random(2_000), 0, 0, 32 + length) };
}

test('it has the origins of every prefix, whatever comes and goes', () => {
  const table = createOriginTable();
  const routes = new Map<string, { origin: number; family: Family; prefix: Uint32Array }>();
  const idOf = (origin: number, family: Family, prefix: Uint32Array) => `${family} ${prefix.join()} ${origin}`;
  for (let n = 0; n < 40_000; n++) {
    const { family, prefix } = randomPrefix();
    const origin = random(5);
    const id = idOf(origin, family, prefix);
    if (routes.delete(id)) table.remove(origin, family, prefix);
    else {
      routes.set(id, { origin, family, prefix });
      table.add(origin, family, prefix);
    }
  }
  expect(table.size).toBe(routes.size);
  for (let n = 0; n < 10_000; n++) {
    const { family, prefix } = randomPrefix();
    const expected = [0, 1, 2, 3, 4].filter((origin) => routes.has(idOf(origin, family, prefix)));
    expect(table.candidates(family, prefix).sort()).toEqual(expected);
  }
  for (const { origin, family, prefix } of routes.values()) table.remove(origin, family, prefix);
  expect(table.size).toBe(0);
  expect(table.candidates(4, Uint32Array.of(0, 8))).toEqual([]);
});

test('a route that is not there is not removed', () => {
  const table = createOriginTable();
  const prefix = Uint32Array.of(0xc000_0200, 24);
  table.remove(64500, 4, prefix);
  table.add(64500, 4, prefix);
  table.remove(64501, 4, prefix);
  expect([table.size, table.candidates(4, prefix)]).toEqual([1, [64500]]);
});

test('a route takes at most 13 bytes, of either family', () => {
  const table = createOriginTable();
  for (let n = 0; n < 200_000; n++) {
    table.add(n % 1_000, 4, Uint32Array.of(n << 8, 24));
    table.add(n % 1_000, 6, Uint32Array.of(0x2001_0db8, n, 0, 0, 64));
  }
  expect(table.bytes / table.size).toBeLessThan(13);
  expect(table.bytes / table.size).toBeGreaterThan(9);
});
