import { createHash, randomBytes } from 'node:crypto';
import { keyCertText } from '../harness/client-identity.js';

const dsa = 17;
const sha256 = 8;
const tags = { signature: 2, publicKey: 6, userId: 13, subkey: 14 } as const;

/** The cost factors of a PGP key: sizes of its numbers, and number of its parts. */
interface KeyShape {
  /** Bits of p, g and y. */
  readonly bits: number;
  /** Bits of q, and of the numbers of each signature. */
  readonly order: number;
  /** Each with a signature whose check begins, because the digest is correct. */
  readonly userIds: number;
  readonly subkeys: number;
}

/** A key-cert with an invented DSA key of arbitrary sizes (RFC 9580). */
export function dsaKeyCert({ bits, order, userIds, subkeys }: KeyShape): string {
  const key = keyBody(bits, order);
  const named = Array.from({ length: userIds }, (_, n) => {
    const name = Buffer.from(`Hostile Key ${n} <key${n}@example.net>`);
    const signed = Buffer.concat([keyHead(key), Buffer.from([0xb4]), uint32(name.length), name]);
    return [packet(tags.userId, name), packet(tags.signature, signatureBody(0x13, signed, order))];
  });
  const bound = Array.from({ length: subkeys }, () => {
    const subkey = keyBody(bits, order);
    const signed = Buffer.concat([keyHead(key), keyHead(subkey)]);
    return [packet(tags.subkey, subkey), packet(tags.signature, signatureBody(0x18, signed, order))];
  });
  return pgpKeyCert(Buffer.concat([packet(tags.publicKey, key), ...named.flat(), ...bound.flat()]));
}

/** A key-cert with arbitrary octets in its armour. */
export function pgpKeyCert(octets: Buffer): string {
  const lines = octets.toString('base64').match(/.{1,64}/g) ?? [];
  const armour = ['-----BEGIN PGP PUBLIC KEY BLOCK-----', '', ...lines, '-----END PGP PUBLIC KEY BLOCK-----'];
  return keyCertText('AUTO-1', armour.join('\n'));
}

/** A key-cert with arbitrary octets as a certificate. */
export function x509KeyCert(octets: Buffer): string {
  const lines = octets.toString('base64').match(/.{1,64}/g) ?? [];
  return keyCertText('AUTO-1', ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----'].join('\n'));
}

/** DER of nested constructed values of unknown length. */
export function nestedDer(depth: number): Buffer {
  return Buffer.from('3080'.repeat(depth), 'hex');
}

function keyBody(bits: number, order: number): Buffer {
  const numbers = [bits, order, bits, bits].map(oddNumber);
  return Buffer.concat([Buffer.from([4]), uint32(1_700_000_000), Buffer.from([dsa]), ...numbers]);
}

function keyHead(key: Buffer): Buffer {
  const head = Buffer.from([0x99, 0, 0]);
  head.writeUInt16BE(key.length, 1);
  return Buffer.concat([head, key]);
}

function signatureBody(type: number, signed: Buffer, order: number): Buffer {
  const created = Buffer.concat([Buffer.from([5, 2]), uint32(1_700_000_000)]);
  const flags = Buffer.from([2, 27, 3]);
  const hashed = Buffer.concat([created, flags]);
  const head = Buffer.concat([Buffer.from([4, type, dsa, sha256, 0, hashed.length]), hashed]);
  const trailer = Buffer.concat([Buffer.from([4, 0xff]), uint32(head.length)]);
  const digest = createHash('sha256').update(signed).update(head).update(trailer).digest();
  // No subpackets besides the signed ones, the start of the digest, and r and s below q.
  const numbers = [oddNumber(order - 1), oddNumber(order - 1)];
  return Buffer.concat([head, Buffer.from([0, 0]), digest.subarray(0, 2), ...numbers]);
}

function packet(tag: number, body: Buffer): Buffer {
  return Buffer.concat([Buffer.from([0xc0 | tag, 0xff]), uint32(body.length), body]);
}

/** A number of exactly this many bits, as PGP encodes it. */
function oddNumber(bits: number): Buffer {
  const octets = randomBytes(Math.ceil(bits / 8));
  const top = (bits - 1) % 8;
  octets[0] = (octets[0]! & ((1 << top) - 1)) | (1 << top);
  octets[octets.length - 1]! |= 1;
  const length = Buffer.alloc(2);
  length.writeUInt16BE(bits);
  return Buffer.concat([length, octets]);
}

function uint32(value: number): Buffer {
  const octets = Buffer.alloc(4);
  octets.writeUInt32BE(value);
  return octets;
}
