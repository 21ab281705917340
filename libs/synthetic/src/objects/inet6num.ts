import { ipv6NetworkText } from '../addresses.js';
import { ending, line, remarks } from '../attribute-lines.js';
import { contacts, holderOf } from '../holders.js';
import { ipv6Slot, networks6PerSlot } from '../ipv6-tree.js';
import type { Ipv6Network } from '../network.js';
import { chance, pick, randomOf, skewed, streamOf } from '../random.js';
import type { Registry } from '../registry.js';
import { cities, companyWords, countries } from '../words.js';

const stream = streamOf('inet6num');
const slotHolderStream = streamOf('ipv6 holder');

const root: Ipv6Network = { high: 0, low: 0, length: 0, status: 'ALLOCATED-BY-RIR', parent: -1 };

/** Object 0 is the root of all address space; the rest is in slots. */
function inet6numAt(registry: Registry, index: number): Ipv6Network {
  return index === 0 ? root : ipv6Slot(registry, slotOf(index))[placeOf(index)]!;
}

export const inet6numKey = (registry: Registry, index: number): string => ipv6NetworkText(inet6numAt(registry, index));

/** Number of the smallest enclosing inet6num; none for the root. */
export function enclosingInet6num(registry: Registry, index: number): number | undefined {
  if (index === 0) return undefined;
  const { parent } = inet6numAt(registry, index);
  return parent < 0 ? 0 : 1 + slotOf(index) * networks6PerSlot + parent;
}

export function ipv6Holder(registry: Registry, slot: number): number {
  return skewed(randomOf(registry.seed, slotHolderStream, slot), registry.counts.organisation);
}

export function inet6numText(registry: Registry, index: number): string {
  const network = inet6numAt(registry, index);
  const random = randomOf(registry.seed, stream, index);
  const holder = holderOf(registry, index === 0 ? 0 : ipv6Holder(registry, slotOf(index)));
  const isAllocation = network.parent < 0;
  return (
    line('inet6num', ipv6NetworkText(network)) +
    line('netname', `${pick(random, companyWords).toUpperCase()}-V6-${index}`) +
    line('descr', `${pick(random, companyWords)} ${pick(random, cities)}`) +
    line('country', pick(random, countries)) +
    (isAllocation ? line('org', holder.organisation) : '') +
    contacts(registry, random, holder) +
    line('status', network.status) +
    (network.status === 'AGGREGATED-BY-LIR' ? line('assignment-size', '56') : '') +
    remarks(random) +
    line('mnt-by', holder.mntner) +
    (isAllocation ? line('mnt-lower', holder.mntner) + line('mnt-routes', `${holder.mntner} ANY`) : '') +
    (chance(random, 15) ? line('notify', 'changes@example.net') : '') +
    ending(random, registry.source)
  );
}

function slotOf(index: number): number {
  return Math.floor((index - 1) / networks6PerSlot);
}

function placeOf(index: number): number {
  return (index - 1) % networks6PerSlot;
}
