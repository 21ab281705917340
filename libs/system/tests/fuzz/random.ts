/** Returns whole numbers from 0 below a bound; the same for the same seed. */
export type Random = (bound: number) => number;

/**
 * A separate stream of numbers for each request of a run (mulberry32), so that each request can be reproduced alone.
 */
export function randomOf(seed: number, index: number): Random {
  let state = (Math.imul(seed, 0x9e3779b1) + Math.imul(index, 0x85ebca6b)) >>> 0;
  return (bound) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % bound;
  };
}

/** One element of a list. */
export function pick<T>(random: Random, list: readonly T[]): T {
  return list[random(list.length)]!;
}

/** True with this probability in percent. */
export function chance(random: Random, percent: number): boolean {
  return random(100) < percent;
}
