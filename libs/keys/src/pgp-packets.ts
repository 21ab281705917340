/** Numbers of packet types (RFC 9580, section 5). */
export const packetTag = {
  signature: 2,
  publicKey: 6,
  marker: 10,
  trust: 12,
  userId: 13,
  publicSubkey: 14,
  userAttribute: 17,
  padding: 21,
} as const;

/** One packet of a binary message. */
export interface Packet {
  readonly tag: number;
  readonly content: Buffer;
}

/** A range of octets, and where the next one starts. */
interface Length {
  readonly value: number;
  readonly next: number;
}

/**
 * The packets of a binary message (RFC 9580, section 4.2); undefined unless it consists of at most `most` complete
 * packets. Keys and signatures never use packets of partial or unknown length.
 */
export function readPackets(octets: Buffer, max: number): Packet[] | undefined {
  const packets: Packet[] = [];
  for (let at = 0; at < octets.length; ) {
    const first = octets[at]!;
    const isNew = (first & 0x40) !== 0;
    const length = isNew ? newLength(octets, at + 1) : oldLength(octets, at + 1, first & 3);
    if ((first & 0x80) === 0 || length === undefined || packets.length === max) return undefined;
    const end = length.next + length.value;
    if (end > octets.length) return undefined;
    packets.push({ tag: isNew ? first & 0x3f : (first >> 2) & 0x0f, content: octets.subarray(length.next, end) });
    at = end;
  }
  return packets;
}

/** A length in the new packet format; undefined for partial lengths. */
export function newLength(octets: Buffer, at: number): Length | undefined {
  const first = octets[at] ?? 0;
  if (first < 192) return { value: first, next: at + 1 };
  if (first < 224) return { value: ((first - 192) << 8) + (octets[at + 1] ?? 0) + 192, next: at + 2 };
  return first === 255 ? numberAt(octets, at + 1, 4) : undefined;
}

function oldLength(octets: Buffer, at: number, type: number): Length | undefined {
  return type === 3 ? undefined : numberAt(octets, at, 2 ** type);
}

/** A number of 1 to 4 octets. */
export function numberAt(octets: Buffer, at: number, size: number): Length | undefined {
  return at + size > octets.length ? undefined : { value: octets.readUIntBE(at, size), next: at + size };
}
