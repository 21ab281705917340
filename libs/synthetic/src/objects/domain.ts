import { ending, line, remarks } from '../attribute-lines.js';
import { contacts, holderOf } from '../holders.js';
import { ipv4Slots, slotStart } from '../ipv4-tree.js';
import { ipv6Slots, slot6Prefix } from '../ipv6-tree.js';
import { chance, pick, type Random, randomOf, streamOf } from '../random.js';
import type { Registry } from '../registry.js';
import { companyWords } from '../words.js';
import { ipv6Holder } from './inet6num.js';
import { ipv4Holder } from './inetnum.js';

const stream = streamOf('domain');
const nameStream = streamOf('domain name');

/** One zone in ten is for IPv6. */
const zonesPerIpv6Zone = 10;

export function domainKey(registry: Registry, index: number): string {
  return isIpv6(index) ? ipv6Zone(registry, index) : ipv4Zone(registry, index);
}

export function domainText(registry: Registry, index: number): string {
  const random = randomOf(registry.seed, stream, index);
  const organisation = isIpv6(index)
    ? ipv6Holder(registry, ipv6Number(index) % ipv6Slots(registry))
    : ipv4Holder(registry, ipv4Number(index) % ipv4Slots(registry));
  const holder = holderOf(registry, organisation);
  return (
    line('domain', domainKey(registry, index)) +
    line('descr', `Reverse delegation ${index}`) +
    contacts(registry, random, holder) +
    line('zone-c', holder.techContact) +
    nameServers(random) +
    (chance(random, 12) ? line('ds-rdata', `${1 + (random() % 65_535)} 13 2 ${digest(random)}`) : '') +
    remarks(random) +
    line('mnt-by', holder.mntner) +
    ending(random, registry.source)
  );
}

function isIpv6(index: number): boolean {
  return index % zonesPerIpv6Zone === zonesPerIpv6Zone - 1;
}

function ipv6Number(index: number): number {
  return Math.floor(index / zonesPerIpv6Zone);
}

function ipv4Number(index: number): number {
  return index - Math.floor(index / zonesPerIpv6Zone);
}

/** A /24 of the slot; one in eight is only a part of it. */
function ipv4Zone(registry: Registry, index: number): string {
  const slots = ipv4Slots(registry);
  const number = ipv4Number(index);
  const start = slotStart(number % slots);
  const third = Math.floor(number / slots);
  const random = randomOf(registry.seed, nameStream, index);
  const part = chance(random, 12) ? `0-${pick(random, [31, 63, 127])}.` : '';
  return `${part}${third}.${(start >>> 16) & 255}.${start >>> 24}.in-addr.arpa`;
}

/** A /48 of the slot. */
function ipv6Zone(registry: Registry, index: number): string {
  const slots = ipv6Slots(registry);
  const number = ipv6Number(index);
  const high = slot6Prefix(number % slots)
    .toString(16)
    .padStart(8, '0');
  const low = Math.floor(number / slots)
    .toString(16)
    .padStart(4, '0');
  return `${[...`${high}${low}`].reverse().join('.')}.ip6.arpa`;
}

/** Hosts outside of the zone, which need no glue. */
function nameServers(random: Random): string {
  const zone = `${pick(random, companyWords).toLowerCase()}.example.net`;
  const third = chance(random, 25) ? line('nserver', `ns3.${zone}`) : '';
  return line('nserver', `ns1.${zone}`) + line('nserver', `ns2.${zone}`) + third;
}

function digest(random: Random): string {
  return Array.from({ length: 8 }, () => random().toString(16).padStart(8, '0')).join('');
}
