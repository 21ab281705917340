// Tasks of the pool in worker-pool.test.ts.

export function add(one: number, other: number): number {
  return one + other;
}

export function spin(): void {
  for (;;);
}

export function fail(): never {
  throw new Error('out of luck');
}

export function fill(): void {
  const all: number[][] = [];
  for (;;) all.push(Array.from({ length: 100_000 }, Math.random));
}
