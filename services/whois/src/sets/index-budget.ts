import { getHeapStatistics } from 'node:v8';

/** Bounds of the index. */
export interface IndexBounds {
  /** Members of a set, with the mntners whose objects may join it, and with those that join it. */
  readonly setMembers: number;
  /** Members of all sets of a source with the same mntners, and sets that objects with these join. */
  readonly maintainerMembers: number;
  /** Bytes of the sets of all sources, and of the objects that join them. */
  readonly bytes: number;
}

/** The bound that an object would exceed. */
export type Refusal = 'set' | 'mntner' | 'index';

/** The cost of an object. */
export interface Cost {
  /** The mntners of the object (`maintainersTogether`). */
  readonly maintainers: string;
  readonly members: number;
  readonly bytes: number;
}

/** The budget of the objects of a source. */
export interface SourceBudget {
  readonly bounds: IndexBounds;
  /** Charges the cost of an object, or returns the bound that it would exceed. */
  take(cost: Cost): Refusal | undefined;
  release(cost: Cost): void;
}

/** The budget of the objects of all sources. */
export type IndexBudget = ReturnType<typeof createIndexBudget>;

/** While a source is read again, it is in memory twice, so all sets together take at most half of the heap. */
const defaultBounds: IndexBounds = {
  setMembers: 50_000,
  maintainerMembers: 1_000_000,
  bytes: getHeapStatistics().heap_size_limit / 4,
};

/** Makes the budget of an index. */
export function createIndexBudget(bounds = defaultBounds) {
  const used = new Map<string, { bytes: number }>();
  const usedBytes = () => [...used.values()].reduce((sum, { bytes }) => sum + bytes, 0);
  return {
    bounds,
    get usedBytes(): number {
      return usedBytes();
    },
    /** Starts the budget of a source that is read. What an older index of it uses no longer counts. */
    of(source: string): SourceBudget {
      const own = { bytes: 0 };
      used.set(source, own);
      const members = new Map<string, number>();
      const change = ({ maintainers, ...cost }: Cost, sign: 1 | -1) => {
        own.bytes += sign * cost.bytes;
        const now = (members.get(maintainers) ?? 0) + sign * cost.members;
        if (now === 0) members.delete(maintainers);
        else members.set(maintainers, now);
      };
      return {
        bounds,
        take(cost) {
          if ((members.get(cost.maintainers) ?? 0) + cost.members > bounds.maintainerMembers) return 'mntner';
          if (usedBytes() + cost.bytes > bounds.bytes) return 'index';
          change(cost, 1);
          return undefined;
        },
        release: (cost) => change(cost, -1),
      };
    },
  };
}

/** Why a set is not in the index, for clients and operators. */
export function refusalText(name: string, refusal: Refusal, { setMembers, maintainerMembers }: IndexBounds): string {
  switch (refusal) {
    case 'set':
      return `Set ${name} has more than ${setMembers} members and is not expanded`;
    case 'mntner':
      return `Set ${name} is not expanded: the sets of its mntners have more than ${maintainerMembers} members`;
    case 'index':
      return `Set ${name} is not expanded: the set index is full`;
  }
}
