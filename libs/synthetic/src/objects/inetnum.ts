import { ipv4RangeText, ipv4Text } from '../addresses.js';
import { ending, line, remarks } from '../attribute-lines.js';
import { contacts, holderOf } from '../holders.js';
import { ipv4Slot, ipv4Slots, networksPerSlot } from '../ipv4-tree.js';
import { irtName, mntnerName } from '../names.js';
import type { Ipv4Network } from '../network.js';
import { below, chance, pick, type Random, randomOf, skewed, streamOf } from '../random.js';
import type { Registry } from '../registry.js';
import { cities, companyWords, countries, languages } from '../words.js';

const stream = streamOf('inetnum');
const slotHolderStream = streamOf('ipv4 holder');

const root: Ipv4Network = { first: 0, last: 0xffff_ffff, status: 'ALLOCATED UNSPECIFIED', parent: -1 };

/** Object 0 is the root of all address space; the rest is in slots. */
function inetnumAt(registry: Registry, index: number): Ipv4Network {
  return index === 0 ? root : ipv4Slot(registry, slotOf(registry, index))[placeOf(registry, index)]!;
}

export const inetnumKey = (registry: Registry, index: number): string => ipv4RangeText(inetnumAt(registry, index));

export const inetnumText = (registry: Registry, index: number): string =>
  textOf(registry, index, inetnumAt(registry, index));

/** All inetnum objects in order; generates each slot once. */
export function* inetnumTexts(registry: Registry): Generator<string> {
  yield inetnumText(registry, 0);
  for (let slot = 0; slot < ipv4Slots(registry); slot += 1) {
    const firstIndex = 1 + slot * networksPerSlot(registry);
    const networks = ipv4Slot(registry, slot).slice(0, registry.counts.inetnum - firstIndex);
    for (const [place, network] of networks.entries()) {
      yield textOf(registry, firstIndex + place, network);
    }
  }
}

/** Number of the smallest enclosing inetnum; none for the root. */
export function enclosingInetnum(registry: Registry, index: number): number | undefined {
  if (index === 0) return undefined;
  const { parent } = inetnumAt(registry, index);
  return parent < 0 ? 0 : 1 + slotOf(registry, index) * networksPerSlot(registry) + parent;
}

/** The organisation that holds the slot, by index. */
export function ipv4Holder(registry: Registry, slot: number): number {
  return skewed(randomOf(registry.seed, slotHolderStream, slot), registry.counts.organisation);
}

function slotOf(registry: Registry, index: number): number {
  return Math.floor((index - 1) / networksPerSlot(registry));
}

function placeOf(registry: Registry, index: number): number {
  return (index - 1) % networksPerSlot(registry);
}

function textOf(registry: Registry, index: number, network: Ipv4Network): string {
  const random = randomOf(registry.seed, stream, index);
  const organisation = index === 0 ? 0 : ipv4Holder(registry, slotOf(registry, index));
  const holder = holderOf(registry, organisation);
  const isAllocation = network.parent < 0;
  return (
    line('inetnum', ipv4RangeText(network)) +
    line('netname', `${pick(random, companyWords).toUpperCase()}-NET-${index}`) +
    description(random, network) +
    line('country', pick(random, countries)) +
    location(random) +
    (isAllocation ? line('org', holder.organisation) : '') +
    contacts(registry, random, holder) +
    (isAllocation && chance(random, 40) ? line('abuse-c', holder.abuseContact) : '') +
    status(random, network) +
    remarks(random) +
    (chance(random, 15) ? line('notify', 'changes@example.net') : '') +
    line('mnt-by', holder.mntner) +
    (isAllocation ? maintainersBelow(registry, random, holder.mntner) : '') +
    (chance(random, 2) ? line('mnt-irt', irtName(below(random, registry.counts.irt))) : '') +
    ending(random, registry.source)
  );
}

function description(random: Random, network: Ipv4Network): string {
  if (chance(random, 25)) return '';
  const place = line('descr', `${pick(random, companyWords)} ${pick(random, cities)}`);
  return chance(random, 20) ? place + line('descr', `from ${ipv4Text(network.first)} # first address`) : place;
}

function location(random: Random): string {
  if (!chance(random, 5)) return '';
  const degrees = (n: number) => `${below(random, n)}.${1 + below(random, 9)}`;
  return line('geoloc', `${degrees(80)} -${degrees(170)}`) + line('language', pick(random, languages));
}

/** Some of the smaller assignments are registered as one aggregate. */
function status(random: Random, network: Ipv4Network): string {
  if (network.status !== 'ASSIGNED PA' || !chance(random, 5)) return line('status', network.status);
  return line('status', 'AGGREGATED-BY-LIR') + line('assignment-size', '32');
}

function maintainersBelow(registry: Registry, random: Random, mntner: string): string {
  const other = mntnerName(below(random, registry.counts.mntner));
  return (
    line('mnt-lower', mntner) +
    (chance(random, 30) ? line('mnt-domains', other) : '') +
    (chance(random, 40) ? line('mnt-routes', mntner) : '')
  );
}
