/** A range of numbers; both ends included. */
export interface ModelRange {
  readonly first: bigint;
  readonly last: bigint;
}

/** Ranges that are nested or disjoint, none twice, in random order: the same seed gives the same ranges. */
export function randomTree(seed: number, base: bigint, size: bigint): ModelRange[] {
  const random = createRandom(seed);
  const tree: ModelRange[] = [];
  const grow = (first: bigint, last: bigint, depth: number) => {
    for (let at = first; at <= last; ) {
      const length = BigInt(1 + Math.floor(random() * Number(last - first + 1n)));
      const end = at + length - 1n > last ? last : at + length - 1n;
      const isWhole = at === first && end === last;
      if (!isWhole && random() < 0.7) {
        tree.push({ first: at, last: end });
        if (depth < 6 && end > at) grow(at, end, depth + 1);
      }
      at = end + 1n;
    }
  };
  while (tree.length === 0) grow(base, base + size - 1n, 0);
  return tree.sort(() => random() - 0.5);
}

function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}

/** Objects strictly inside a range that no other one inside contains, by comparison of all pairs. */
export function firstLevelModel(tree: readonly ModelRange[], requested: ModelRange): ModelRange[] {
  const inside = tree.filter((range) => isStrictlyInside(range, requested));
  const outermost = inside.filter((range) => !inside.some((other) => isStrictlyInside(range, other)));
  return outermost.sort((one, other) => (one.first < other.first ? -1 : 1));
}

/**
 * The bottom inside a range, according to the registry's rule: every range without others inside; and upwards from
 * each, the one around it if what is directly inside that does not reach both of its ends.
 */
export function bottomModel(tree: readonly ModelRange[], requested: ModelRange): ModelRange[] {
  const inside = tree.filter((range) => isStrictlyInside(range, requested));
  const bottom = new Set<ModelRange>();
  const climb = (range: ModelRange): void => {
    bottom.add(range);
    const around = inside.filter((other) => isStrictlyInside(range, other));
    const parent = around.find((one) => !around.some((other) => isStrictlyInside(other, one)));
    if (parent === undefined) return;
    const children = firstLevelModel(tree, parent);
    const isReached = children[0]!.first === parent.first && children.at(-1)!.last === parent.last;
    if (!isReached) climb(parent);
  };
  for (const range of inside) if (!inside.some((other) => isStrictlyInside(other, range))) climb(range);
  return [...bottom];
}

function isStrictlyInside(one: ModelRange, other: ModelRange): boolean {
  const isEqual = one.first === other.first && one.last === other.last;
  return one.first >= other.first && one.last <= other.last && !isEqual;
}
