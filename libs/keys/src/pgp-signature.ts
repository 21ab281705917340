import { newLength, numberAt, packetTag, readPackets } from './pgp-packets.js';

/** An RSA signature of 8,192 bits with an embedded subkey signature and some notations fits. */
const maxOctets = 8_192;
const maxSubpackets = 64;
const maxNotations = 16;

const subpacketType = { issuerKeyId: 16, notation: 20, embeddedSignature: 32, issuerFingerprint: 33 } as const;

/** What a signature packet claims about itself, unverified. */
export interface SignatureOutline {
  /** Identifiers of the claimed signing keys: 16 lower-case hexadecimal digits; a valid signature has one. */
  readonly issuerKeyIds: readonly string[];
  /** Whether it embeds another signature, as the back signature of a signing subkey does. */
  readonly hasEmbedded: boolean;
}

/** Reads one signature in binary form; undefined when it is malformed or over the bounds above. */
export function inspectPgpSignature(octets: Buffer): SignatureOutline | undefined {
  const [packet, another] = readPackets(octets, 1) ?? [];
  const isOne = packet?.tag === packetTag.signature && another === undefined;
  return isOne && packet.content[0] !== 3 ? outlineOfSignature(packet.content, true) : undefined;
}

/** The outline of a signature from its packet's content. Version 3 has no subpackets; no library here supports it. */
export function outlineOfSignature(content: Buffer, mayEmbed: boolean): SignatureOutline | undefined {
  if (content.length > maxOctets) return undefined;
  if (content[0] === 3) return { issuerKeyIds: [], hasEmbedded: false };
  const subpackets = subpacketsOf(content);
  if (subpackets === undefined || subpackets.length > maxSubpackets) return undefined;
  const of = (type: number) => subpackets.filter((one) => one.type === type).map(({ body }) => body);
  const [embedded, ...more] = of(subpacketType.embeddedSignature);
  const isWithinBounds = of(subpacketType.notation).length <= maxNotations && more.length === 0;
  if (!isWithinBounds || (embedded && !(mayEmbed && outlineOfSignature(embedded, false)))) return undefined;
  const issuers = [...of(subpacketType.issuerFingerprint).map(keyIdIn), ...of(subpacketType.issuerKeyId)];
  const issuerKeyIds = [...new Set(issuers.map((keyId) => keyId.toString('hex')))];
  return { issuerKeyIds, hasEmbedded: embedded !== undefined };
}

/** The key identifier in a fingerprint with its version before it. */
function keyIdIn(fingerprint: Buffer): Buffer {
  return fingerprint[0] === 4 ? fingerprint.subarray(-8) : fingerprint.subarray(1, 9);
}

interface Subpacket {
  readonly type: number;
  readonly body: Buffer;
}

/** Reads version, type and two algorithms, then the hashed and the unhashed subpackets. */
function subpacketsOf(content: Buffer): Subpacket[] | undefined {
  const sizeOfLength = content[0] === 6 ? 4 : 2;
  const signed = content[0] === 4 || content[0] === 6 ? numberAt(content, 4, sizeOfLength) : undefined;
  const unsigned = signed && numberAt(content, signed.next + signed.value, sizeOfLength);
  if (unsigned === undefined || unsigned.next + unsigned.value > content.length) return undefined;
  const areas = [signed!, unsigned].map(({ next, value }) => subpacketsIn(content.subarray(next, next + value)));
  return areas.every((area) => area !== undefined) ? areas.flat() : undefined;
}

function subpacketsIn(area: Buffer): Subpacket[] | undefined {
  const subpackets: Subpacket[] = [];
  for (let at = 0; at < area.length; ) {
    const length = subpacketLength(area, at);
    if (length === undefined || length.value === 0 || length.next + length.value > area.length) return undefined;
    const end = length.next + length.value;
    subpackets.push({ type: area[length.next]! & 0x7f, body: area.subarray(length.next + 1, end) });
    at = end;
  }
  return subpackets;
}

/** The length of a subpacket, which is never partial (RFC 9580, section 5.2.3.7). */
function subpacketLength(area: Buffer, at: number) {
  const first = area[at] ?? 0;
  return first >= 224 && first < 255
    ? { value: ((first - 192) << 8) + (area[at + 1] ?? 0) + 192, next: at + 2 }
    : newLength(area, at);
}
