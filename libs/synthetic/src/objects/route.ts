import { ipv4Text, ipv6PrefixText } from '../addresses.js';
import { ending, line, remarks } from '../attribute-lines.js';
import { holderOf } from '../holders.js';
import { ipv4Slot, ipv4Slots, slotStart } from '../ipv4-tree.js';
import { ipv6Slots, slot6Prefix } from '../ipv6-tree.js';
import { asName } from '../names.js';
import { chance, randomOf, streamOf } from '../random.js';
import type { Registry } from '../registry.js';
import { ipv6Holder } from './inet6num.js';
import { ipv4Holder } from './inetnum.js';

const stream = streamOf('route');
const secondOriginStream = streamOf('second origin');
/** One in this many odd-numbered routes of a slot has the prefix of the previous route, but another AS. */
const secondOrigins = 16;

interface Announcement {
  readonly prefix: string;
  readonly origin: string;
}

export const routeKey = (registry: Registry, index: number): string => keyOf(routeAt(registry, index));
export const route6Key = (registry: Registry, index: number): string => keyOf(route6At(registry, index));

export function routeText(registry: Registry, index: number): string {
  const slot = index % ipv4Slots(registry);
  return textOf(registry, 'route', index, routeAt(registry, index), ipv4Holder(registry, slot));
}

export function route6Text(registry: Registry, index: number): string {
  const slot = index % ipv6Slots(registry);
  return textOf(registry, 'route6', index, route6At(registry, index), ipv6Holder(registry, slot));
}

/** Routes iterate over the slots: the first of each slot covers its allocation, the others are /24s and /23s in it. */
function routeAt(registry: Registry, index: number): Announcement {
  const slots = ipv4Slots(registry);
  const slot = index % slots;
  const place = Math.floor(index / slots);
  const second = place % 2 === 1 && isSecondOrigin(registry, index);
  const prefixPlace = second ? place - 1 : place;
  const prefix = prefixPlace === 0 ? allocationPrefix(registry, slot) : smallPrefix(slotStart(slot), prefixPlace);
  return { prefix, origin: originOf(registry, ipv4Holder(registry, slot), second) };
}

function route6At(registry: Registry, index: number): Announcement {
  const slots = ipv6Slots(registry);
  const slot = index % slots;
  const place = Math.floor(index / slots);
  const high = slot6Prefix(slot);
  const prefix = place === 0 ? ipv6PrefixText(high, 0, 32) : ipv6PrefixText(high, (place << 20) >>> 0, 48);
  return { prefix, origin: originOf(registry, ipv6Holder(registry, slot), false) };
}

function isSecondOrigin(registry: Registry, index: number): boolean {
  return registry.counts['aut-num'] > 1 && randomOf(registry.seed, secondOriginStream, index)() % secondOrigins === 0;
}

function originOf(registry: Registry, organisation: number, second: boolean): string {
  return asName((organisation + (second ? 1 : 0)) % registry.counts['aut-num']);
}

/** The largest prefix at the start of the slot's first network. */
function allocationPrefix(registry: Registry, slot: number): string {
  const { first, last } = ipv4Slot(registry, slot)[0]!;
  const length = Math.clz32(last - first + 1) + 1;
  return `${ipv4Text(first)}/${length}`;
}

function smallPrefix(start: number, place: number): string {
  const length = place % 6 === 4 ? 23 : 24;
  return `${ipv4Text(start + place * 256)}/${length}`;
}

function keyOf({ prefix, origin }: Announcement): string {
  return prefix + origin;
}

function textOf(
  registry: Registry,
  type: 'route' | 'route6',
  index: number,
  { prefix, origin }: Announcement,
  organisation: number,
): string {
  const random = randomOf(registry.seed, stream + type.length, index);
  const holder = holderOf(registry, organisation);
  return (
    line(type, prefix) +
    (chance(random, 60) ? line('descr', `${prefix} announced by ${origin}`) : '') +
    line('origin', origin) +
    (chance(random, 10) ? line('org', holder.organisation) : '') +
    (chance(random, 3) ? line('ping-hdl', holder.techContact) : '') +
    remarks(random) +
    line('mnt-by', holder.mntner) +
    ending(random, registry.source)
  );
}
