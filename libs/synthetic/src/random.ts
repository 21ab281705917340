/** A stream of numbers, uniform in 0 .. 2^32 - 1. */
export type Random = () => number;

function mix(value: number): number {
  let x = value | 0;
  x = Math.imul(x ^ (x >>> 16), 0x21f0aaad);
  x = Math.imul(x ^ (x >>> 15), 0x735a2d97);
  return (x ^ (x >>> 15)) >>> 0;
}

/** A number for a stream name, so that the streams of two object types differ. */
export function streamOf(name: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < name.length; i += 1) {
    hash = Math.imul(hash ^ name.charCodeAt(i), 0x01000193);
  }
  return hash >>> 0;
}

/**
 * The random numbers of one object: the same on every machine, and independent of the order of generation.
 * Splitmix32: a counter through a 32-bit finaliser. Integer arithmetic only.
 */
export function randomOf(seed: number, stream: number, index: number): Random {
  let state = mix(mix(mix(seed) ^ stream) ^ index);
  return () => {
    state = (state + 0x9e3779b9) | 0;
    return mix(state);
  };
}

/** Uniform in 0 .. n - 1. */
export function below(random: Random, n: number): number {
  return Math.floor((random() / 0x1_0000_0000) * n);
}

export function chance(random: Random, percent: number): boolean {
  return below(random, 100) < percent;
}

export function pick<T>(random: Random, list: readonly T[]): T {
  return list[below(random, list.length)] as T;
}

/**
 * 0 .. n - 1 with few frequent values and a long tail: index 0 of 10,000 gets a tenth of all draws.
 * A power instead of a true Zipf law: multiplications give the same bits on every machine.
 */
export function skewed(random: Random, n: number): number {
  const u = random() / 0x1_0000_0000;
  return Math.floor(u * u * u * u * n);
}
