import type { Ipv6Network } from './network.js';
import { pick, randomOf, streamOf } from './random.js';
import type { Registry } from './registry.js';

/** Number of address objects in one slot, including the allocation. */
export const networks6PerSlot = 20;
/** A slot is a /32; the first one is 2a00::/32. */
const firstSlot = 0x2a00_0000;
const slotStream = streamOf('ipv6 slot');
/** Number of sub-allocations of a slot: /36s. */
const subAllocations = 2;

export function ipv6Slots(registry: Registry): number {
  return Math.max(1, Math.ceil((registry.counts.inet6num - 1) / networks6PerSlot));
}

export function slot6Prefix(slot: number): number {
  return firstSlot + slot;
}

/** The networks of a slot: the allocation, its sub-allocations, and assignments in each of them in turn. */
export function ipv6Slot(registry: Registry, slot: number): readonly Ipv6Network[] {
  const random = randomOf(registry.seed, slotStream, slot);
  const high = slot6Prefix(slot);
  const networks: Ipv6Network[] = [{ high, low: 0, length: 32, status: 'ALLOCATED-BY-RIR', parent: -1 }];
  for (let n = 1; n <= subAllocations; n += 1) {
    networks.push({ high, low: part(n, 0), length: 36, status: 'ALLOCATED-BY-LIR', parent: 0 });
  }
  while (networks.length < networks6PerSlot) {
    const parent = networks.length % (subAllocations + 1);
    const length = pick(random, [48, 48, 48, 56, 64]);
    const status = length === 48 && random() % 4 === 0 ? 'AGGREGATED-BY-LIR' : 'ASSIGNED';
    networks.push({ high, low: part(parent, networks.length), length, status, parent });
  }
  return networks;
}

/** The second 32 bits of the n-th /48 in the given /36. */
function part(subAllocation: number, n: number): number {
  return ((subAllocation << 28) | (n << 20)) >>> 0;
}
