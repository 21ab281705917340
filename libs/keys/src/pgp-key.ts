import { createHash } from 'node:crypto';
import { maxMaterialLength } from './pgp-armour.js';
import { numberAt, type Packet, packetTag, readPackets } from './pgp-packets.js';
import { outlineOfSignature, type SignatureOutline } from './pgp-signature.js';

/** What a public key claims about itself, unverified. */
export interface PgpKeyOutline {
  /** Of the primary key, in lower-case hexadecimal. */
  readonly fingerprint: string;
  /** Identifiers of the primary key and the subkeys: 16 lower-case hexadecimal digits each. */
  readonly keyIds: readonly string[];
  /** Whether any signature could bind a signing subkey. */
  readonly hasSigningSubkeys: boolean;
}

/** The outline of a key, or why it cannot be used: no key, several keys, or over a bound. */
export type PgpKeyInspection =
  | { readonly ok: true; readonly key: PgpKeyOutline }
  | { readonly ok: false; readonly why: 'no-key' | 'several-keys' }
  | { readonly ok: false; readonly why: 'too-much'; readonly what: string };

const maxPackets = 400;
const maxCounts: readonly { tag: number; max: number; what: string }[] = [
  { tag: packetTag.userId, max: 32, what: 'user ids' },
  { tag: packetTag.userAttribute, max: 8, what: 'user attributes' },
  { tag: packetTag.publicSubkey, max: 32, what: 'subkeys' },
  { tag: packetTag.signature, max: 200, what: 'signatures' },
];
/** The library verifies self-signatures only. One with a DSA key of the largest size takes 6 ms. */
const maxOwnSignatures = 64;
const passedOver: ReadonlySet<number> = new Set([packetTag.marker, packetTag.trust, packetTag.padding]);

/**
 * The numbers of a key by the number of its algorithm, with the maximum bits of each. RSA: what OpenSSL checks in under
 * a millisecond, with OpenSSL's own bound on the exponent. DSA: the largest of FIPS 186-4, because the check runs in
 * JavaScript. ElGamal never signs. Curves: points of the largest one, P-521.
 */
const rsa = { name: 'RSA', bits: [8192, 64] };
const point = [1064];
const algorithms: Readonly<Record<number, { name: string; bits: readonly number[]; hasCurve?: boolean }>> = {
  1: rsa,
  2: rsa,
  3: rsa,
  16: { name: 'ElGamal', bits: [8192, 8192, 8192] },
  17: { name: 'DSA', bits: [3072, 256, 3072, 3072] },
  18: { name: 'ECDH', bits: point, hasCurve: true },
  19: { name: 'ECDSA', bits: point, hasCurve: true },
  20: { name: 'ElGamal', bits: [8192, 8192, 8192] },
  22: { name: 'EdDSA', bits: point, hasCurve: true },
  25: { name: 'X25519', bits: [] },
  26: { name: 'X448', bits: [] },
  27: { name: 'Ed25519', bits: [] },
  28: { name: 'Ed448', bits: [] },
};
const maxCurveOctets = 16;

/** Reads one public key in binary form (RFC 9580, section 10.1). Computes hashes only. */
export function inspectPgpKey(octets: Buffer): PgpKeyInspection {
  if (octets.length >= maxMaterialLength) return { ok: false, why: 'too-much', what: `${octets.length} octets` };
  const packets = readPackets(octets, maxPackets)?.filter(({ tag }) => !passedOver.has(tag));
  const [primary] = packets ?? [];
  if (packets === undefined || primary?.tag !== packetTag.publicKey) return { ok: false, why: 'no-key' };
  if (packets.filter(({ tag }) => tag === packetTag.publicKey).length > 1) return { ok: false, why: 'several-keys' };
  const fingerprint = fingerprintOf(primary.content);
  if (fingerprint === undefined) return { ok: false, why: 'no-key' };
  const signatures = packets.filter(({ tag }) => tag === packetTag.signature).map(outlineOfPacket);
  const what = exceededInParts(packets) ?? exceededInSignatures(signatures, keyIdOf(fingerprint));
  if (what !== undefined) return { ok: false, why: 'too-much', what };
  const fingerprints = keysIn(packets).flatMap(({ content }) => fingerprintOf(content) ?? []);
  const hasSigningSubkeys = signatures.some((signature) => signature?.hasEmbedded);
  return { ok: true, key: { fingerprint, keyIds: fingerprints.map(keyIdOf), hasSigningSubkeys } };
}

function outlineOfPacket({ content }: Packet): SignatureOutline | undefined {
  return outlineOfSignature(content, true);
}

function keysIn(packets: readonly Packet[]): Packet[] {
  return packets.filter(({ tag }) => tag === packetTag.publicKey || tag === packetTag.publicSubkey);
}

/** Describes the bound that a part of the key exceeds. */
function exceededInParts(packets: readonly Packet[]): string | undefined {
  const known = new Set<number>([packetTag.publicKey, ...maxCounts.map(({ tag }) => tag)]);
  const odd = packets.find(({ tag }) => !known.has(tag));
  if (odd !== undefined) return `a packet of type ${odd.tag}`;
  const many = maxCounts.find(({ tag, max }) => packets.filter((packet) => packet.tag === tag).length > max);
  if (many !== undefined) return `more than ${many.max} ${many.what}`;
  const keys = keysIn(packets).map(({ tag, content }) => exceededInKey(content, tag === packetTag.publicKey));
  return keys.find((what) => what !== undefined);
}

function exceededInSignatures(
  signatures: readonly (SignatureOutline | undefined)[],
  ownKeyId: string,
): string | undefined {
  if (signatures.includes(undefined)) return 'a signature that is too large or malformed';
  const own = signatures.filter((one) => one?.issuerKeyIds.length === 0 || one?.issuerKeyIds.includes(ownKeyId));
  return own.length > maxOwnSignatures ? `more than ${maxOwnSignatures} signatures of its own` : undefined;
}

/** Every program skips a subkey of an unknown algorithm or version. */
function exceededInKey(content: Buffer, isPrimary: boolean): string | undefined {
  const algorithm = algorithms[content[5] ?? 0];
  if (content[0] !== 4 && content[0] !== 6) return undefined;
  if (algorithm === undefined) return isPrimary ? 'an unknown algorithm' : undefined;
  let at = content[0] === 6 ? 10 : 6;
  if (algorithm.hasCurve) {
    if (content[at]! > maxCurveOctets) return 'an unknown curve';
    at += 1 + (content[at] ?? 0);
  }
  for (const max of algorithm.bits) {
    const bits = numberAt(content, at, 2);
    if (bits === undefined) return 'a number that is cut off';
    if (bits.value > max) {
      return `${bits.value} bits in a number of the ${algorithm.name} key, where ${max} are the most`;
    }
    at = bits.next + Math.ceil(bits.value / 8);
  }
  return undefined;
}

/** RFC 9580, section 5.5.4. Older versions are not supported. */
function fingerprintOf(content: Buffer): string | undefined {
  if (content[0] === 4) return hashOf('sha1', [0x99], 2, content);
  return content[0] === 6 ? hashOf('sha256', [0x9b], 4, content) : undefined;
}

function hashOf(name: string, mark: readonly number[], sizeOfLength: number, content: Buffer): string {
  const length = Buffer.alloc(sizeOfLength);
  length.writeUIntBE(content.length, 0, sizeOfLength);
  return createHash(name).update(Buffer.from(mark)).update(length).update(content).digest('hex');
}

/** Version 4: the end of the fingerprint. Version 6: its beginning. */
function keyIdOf(fingerprint: string): string {
  return fingerprint.length === 40 ? fingerprint.slice(-16) : fingerprint.slice(0, 16);
}
