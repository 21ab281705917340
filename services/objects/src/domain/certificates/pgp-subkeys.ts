import { createHash } from 'node:crypto';
import type { RpslObject } from '@cadastre/rpsl';
import { certificateText } from './certificate-text.js';

const armour =
  /-----BEGIN PGP PUBLIC KEY BLOCK-----\n((?:[^\n]*: [^\n]*\n)*)\n*([A-Za-z0-9+/=\n]+?)(?:\n=[A-Za-z0-9+/]{4})?\n-----END/;
const subkeyTag = 14;

/**
 * Identifiers of the subkeys in a key-cert: 16 lower-case hexadecimal digits each. Only for finding the object: whether
 * a subkey is bound to its key is not looked at. Nothing when there is no readable PGP key.
 */
export function pgpSubkeyIds(object: RpslObject): string[] {
  const body = armour.exec(certificateText(object))?.[2];
  if (body === undefined) return [];
  const packets = packetsOf(Buffer.from(body, 'base64'));
  return packets.filter(({ tag }) => tag === subkeyTag).flatMap(({ content }) => keyId(content) ?? []);
}

interface Packet {
  readonly tag: number;
  readonly content: Buffer;
}

/** The packets of a binary message as far as they can be read (RFC 9580, section 4.2). */
function packetsOf(octets: Buffer): Packet[] {
  const packets: Packet[] = [];
  for (let at = 0; at < octets.length; ) {
    const header = packetHeader(octets, at);
    if (header === undefined || header.end > octets.length) return packets;
    packets.push({ tag: header.tag, content: octets.subarray(header.start, header.end) });
    at = header.end;
  }
  return packets;
}

/** Keys do not come in packets of unknown or partial length. */
function packetHeader(octets: Buffer, at: number): { tag: number; start: number; end: number } | undefined {
  const first = octets[at]!;
  if ((first & 0x80) === 0) return undefined;
  const isNew = (first & 0x40) !== 0;
  const tag = isNew ? first & 0x3f : (first >> 2) & 0x0f;
  const length = isNew ? newLength(octets, at + 1) : oldLength(octets, at + 1, first & 3);
  return length && { tag, start: length.next, end: length.next + length.value };
}

interface Length {
  readonly value: number;
  /** Where the content starts. */
  readonly next: number;
}

function newLength(octets: Buffer, at: number): Length | undefined {
  const first = octets[at] ?? 0;
  if (first < 192) return { value: first, next: at + 1 };
  if (first < 224) return { value: ((first - 192) << 8) + (octets[at + 1] ?? 0) + 192, next: at + 2 };
  return first === 255 ? numberAt(octets, at + 1, 4) : undefined;
}

function oldLength(octets: Buffer, at: number, type: number): Length | undefined {
  return type === 3 ? undefined : numberAt(octets, at, 2 ** type);
}

function numberAt(octets: Buffer, at: number, size: number): Length | undefined {
  return at + size > octets.length ? undefined : { value: octets.readUIntBE(at, size), next: at + size };
}

/** From the fingerprint (RFC 9580, section 5.5.4): of version 4 its end, of version 6 its beginning. */
function keyId(content: Buffer): string | undefined {
  const head = (start: number, size: number) => {
    const octets = Buffer.alloc(1 + size, start);
    octets.writeUIntBE(content.length, 1, size);
    return octets;
  };
  if (content[0] === 4) {
    return createHash('sha1').update(head(0x99, 2)).update(content).digest('hex').slice(-16);
  }
  return content[0] === 6
    ? createHash('sha256').update(head(0x9b, 4)).update(content).digest('hex').slice(0, 16)
    : undefined;
}
