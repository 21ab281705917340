import type { SubmittedAttribute } from '@cadastre/client';
import { type AddressRange, formatIpv4 } from '@cadastre/rpsl';
import { maxObjects } from '../api/batch.js';

/** The attributes that all zones of a prefix have in common, in the order of the object. */
const zoneAttributes = ['descr', 'admin-c', 'tech-c', 'zone-c', 'nserver', 'mnt-by'] as const;

/** Their values: lists are lines, or separated by commas. */
export type ZoneFields = Readonly<Record<(typeof zoneAttributes)[number], string>>;

/**
 * The reverse zones of a range: as few as possible, each of whole octets (/8, /16, /24) or nibbles, and for parts of a
 * /24 a range of last octets (`64-127.2.0.192.in-addr.arpa`, after RFC 2317) or an address. At most one more than
 * `maxObjects`.
 */
export function reverseZones({ family, first, last }: AddressRange): string[] {
  const zones: string[] = [];
  for (let from = first; from <= last && zones.length <= maxObjects; ) {
    const { zone, size } = family === 4 ? ipv4Zone(from, last) : ipv6Zone(from, last);
    zones.push(zone);
    from += size;
  }
  return zones;
}

interface Zone {
  readonly zone: string;
  readonly size: bigint;
}

function ipv4Zone(first: bigint, last: bigint): Zone {
  const octets = formatIpv4(first).split('.');
  for (const whole of [1, 2, 3]) {
    const size = 1n << BigInt(32 - 8 * whole);
    if (first % size === 0n && first + size - 1n <= last) {
      return { zone: ipv4Name(octets.slice(0, whole)), size };
    }
  }
  const left = 256n - (first % 256n);
  const size = last - first + 1n < left ? last - first + 1n : left;
  const from = octets[3]!;
  const ends = size === 1n ? from : `${from}-${Number(from) + Number(size) - 1}`;
  return { zone: ipv4Name([...octets.slice(0, 3), ends]), size };
}

function ipv4Name(octets: readonly string[]): string {
  return `${[...octets].reverse().join('.')}.in-addr.arpa`;
}

function ipv6Zone(first: bigint, last: bigint): Zone {
  const digits = [...first.toString(16).padStart(32, '0')];
  for (let length = 1; ; length++) {
    const size = 1n << BigInt(128 - 4 * length);
    if (first % size === 0n && first + size - 1n <= last) {
      return { zone: `${digits.slice(0, length).reverse().join('.')}.ip6.arpa`, size };
    }
  }
}

/** The elements of a list in the form in which a user writes it. */
export function elementsOf(text: string): string[] {
  return [...new Set(text.split(/[\n,]/).map((item) => item.trim().replace(/\s+/g, ' ')))].filter(
    (item) => item !== '',
  );
}

/** The object of a zone. */
export function zoneObject(zone: string, fields: ZoneFields, source: string): SubmittedAttribute[] {
  const common = zoneAttributes.flatMap((name) => elementsOf(fields[name]).map((value) => ({ name, value })));
  return [{ name: 'domain', value: zone }, ...common, { name: 'source', value: source }];
}
