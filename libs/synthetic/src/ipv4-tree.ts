import type { Ipv4Network } from './network.js';
import { below, chance, pick, type Random, randomOf, streamOf } from './random.js';
import type { Registry } from './registry.js';

/** How full the slots of a registry are. */
interface Density {
  /** Number of address objects in one slot, including the allocation. */
  readonly networks: number;
  /** Sizes of allocations in /24s; some do not form prefixes. */
  readonly allocations: readonly number[];
}

const sparse: Density = { networks: 60, allocations: [32, 48, 64, 96, 128, 256] };
/** In larger allocations, so that every network has as much room as in a sparse slot. */
const dense: Density = { networks: 120, allocations: [64, 96, 128, 192, 256, 256] };

/** A slot is a /16; the first one is 1.0.0.0. */
const slotSize = 65_536;
const firstSlot = 256;
/** Those before the multicast addresses, which begin with 224.0.0.0. */
const usableSlots = 224 * 256 - firstSlot;
const slotStream = streamOf('ipv4 slot');

function densityOf({ counts }: Registry): Density {
  return counts.inetnum - 1 > usableSlots * sparse.networks ? dense : sparse;
}

/** Number of address objects in one slot, including the allocation. */
export function networksPerSlot(registry: Registry): number {
  return densityOf(registry).networks;
}

export function ipv4Slots(registry: Registry): number {
  return Math.ceil((registry.counts.inetnum - 1) / networksPerSlot(registry));
}

export function slotStart(slot: number): number {
  return (firstSlot + slot) * slotSize;
}

/** The networks of a slot. Parents precede their children, so that an incomplete slot is still a tree. */
export function ipv4Slot(registry: Registry, slot: number): readonly Ipv4Network[] {
  const random = randomOf(registry.seed, slotStream, slot);
  const start = slotStart(slot);
  const density = densityOf(registry);
  const kind = below(random, 100);
  if (kind < 8) return independentNetworks(random, start, density);
  return kind < 14 ? legacyNetworks(random, start, density) : allocatedNetworks(random, start, density);
}

/** Adjacent provider-independent assignments directly below the root. */
function independentNetworks(random: Random, start: number, { networks }: Density): Ipv4Network[] {
  const step = 61_440 / networks;
  return Array.from({ length: networks }, (_, i) => {
    const first = start + i * step;
    const size = pick(random, [step / 4, step / 2, step, (step * 3) / 4]);
    return { first, last: first + size - 1, status: 'ASSIGNED PI', parent: -1 };
  });
}

function legacyNetworks(random: Random, start: number, { networks }: Density): Ipv4Network[] {
  const whole: Ipv4Network = { first: start, last: start + slotSize - 1, status: 'LEGACY', parent: -1 };
  return [whole, ...insideOf(random, [whole], [0], 'LEGACY', networks - 1)];
}

/** An allocation, its sub-allocations, one of them divided again, and assignments in all of these. */
function allocatedNetworks(random: Random, start: number, density: Density): Ipv4Network[] {
  const size = pick(random, density.allocations) * 256;
  const parts = 1 + below(random, 5);
  const partSize = Math.floor(size / parts / 256) * 256;
  const part = (n: number, status: string): Ipv4Network => ({
    first: start + n * partSize,
    last: start + (n + 1) * partSize - 1,
    status,
    parent: 0,
  });
  const networks: Ipv4Network[] = [{ first: start, last: start + size - 1, status: 'ALLOCATED PA', parent: -1 }];
  for (let n = 1; n < parts; n += 1) {
    networks.push(part(n, n === 1 && parts > 3 ? 'LIR-PARTITIONED PA' : 'SUB-ALLOCATED PA'));
  }
  // The allocation's own assignments stay in the part before the first sub-allocation.
  const areas = [{ ...networks[0]!, last: start + partSize - 1 }, ...networks.slice(1)];
  const owners = areas.map((_, n) => n);
  if (parts > 2) {
    const outer = networks[1]!;
    const inner = { first: outer.first, last: outer.first + partSize / 2 - 1, status: 'SUB-ALLOCATED PA', parent: 1 };
    owners[1] = networks.push(inner) - 1;
    areas[1] = inner;
  }
  return [...networks, ...insideOf(random, areas, owners, 'ASSIGNED PA', density.networks - networks.length)];
}

/** `count` small networks, in turn in each area, each in its own cell; areas[n] belongs to network owners[n]. */
function insideOf(
  random: Random,
  areas: readonly Ipv4Network[],
  owners: readonly number[],
  status: string,
  count: number,
): Ipv4Network[] {
  const cells = Math.ceil(count / areas.length);
  return Array.from({ length: count }, (_, i) => {
    const n = i % areas.length;
    const area = areas[n]!;
    const cell = Math.floor((area.last - area.first + 1) / cells);
    const start = area.first + Math.floor(i / areas.length) * cell;
    return { ...rangeInCell(random, start, cell), status, parent: owners[n]! };
  });
}

/** Mostly a prefix; one in six is an arbitrary range. A cell has at least 64 addresses. */
function rangeInCell(random: Random, start: number, cell: number): { first: number; last: number } {
  if (chance(random, 16)) {
    const first = start + 1 + below(random, 7);
    return { first, last: first + 2 + below(random, 40) };
  }
  const size = pick(random, [4, 8, 8, 16, 16, 32]);
  const wide = chance(random, 20) && cell >= 512 ? 256 : size;
  const first = Math.ceil(start / wide) * wide;
  return { first, last: first + wide - 1 };
}
