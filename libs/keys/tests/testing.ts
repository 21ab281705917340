import { createHash } from 'node:crypto';

// Keys, signatures and certificates that an attacker could make: well-formed, with numbers of any size.

/** A packet of an OpenPGP message. */
export function packet(tag: number, content: Buffer): Buffer {
  const header = Buffer.from([0xc0 | tag, 255, 0, 0, 0, 0]);
  header.writeUInt32BE(content.length, 2);
  return Buffer.concat([header, content]);
}

/**
 * An odd number with this many bits, as OpenPGP encodes it. Its digits are the same in each run and have no pattern.
 */
export function number(bits: number): Buffer {
  const octets = Math.ceil(bits / 8);
  const blocks = Array.from({ length: Math.ceil(octets / 64) }, (_, n) =>
    createHash('sha512').update(`${bits} ${n}`).digest(),
  );
  const digits = Buffer.concat(blocks).subarray(0, octets);
  const top = 1 << ((bits - 1) % 8);
  digits[0] = (digits[0]! & (top - 1)) | top;
  digits[octets - 1]! |= 1;
  return Buffer.concat([length(2, bits), digits]);
}

const made = Buffer.from([0x60, 0, 0, 0]);

/** The content of a public key packet of version 4. */
export function keyContent(algorithm: number, ...numbers: Buffer[]): Buffer {
  return Buffer.concat([Buffer.from([4]), made, Buffer.from([algorithm]), ...numbers]);
}

/** A DSA key whose first number has this many bits. */
export function dsaKey(bits: number): Buffer {
  return keyContent(17, number(bits), number(256), number(bits - 1), number(bits - 1));
}

/** A subpacket of a signature, shorter than 192 octets or with a long length. */
export function subpacket(type: number, body: Buffer): Buffer {
  const header = Buffer.from([255, 0, 0, 0, 0, type]);
  header.writeUInt32BE(body.length + 1, 1);
  return Buffer.concat([header, body]);
}

/** A user id with self-signatures, each of which a library must verify to find that it is invalid. */
export function certified(key: Buffer, userId: string, count: number): Buffer {
  const name = Buffer.from(userId);
  const signatures = Array.from({ length: count }, (_, n) => {
    const head = signatureHead(0x13, key[5]!, madeBy(key, 0x61000000 + n));
    const signed = [framed(0x99, 2, key), framed(0xb4, 4, name), head, Buffer.from([4, 0xff]), length(4, head.length)];
    const digest = createHash('sha512').update(Buffer.concat(signed)).digest();
    return packet(2, Buffer.concat([head, length(2, 0), digest.subarray(0, 2), number(250), number(250)]));
  });
  return Buffer.concat([packet(13, name), ...signatures]);
}

/** Subpackets with the creation time and the issuer of a signature. */
export function madeBy(key: Buffer, seconds: number): Buffer[] {
  return [creation(seconds), subpacket(16, keyIdOf(key))];
}

/** The content of a signature packet with these subpackets. */
export function signatureContent(...subpackets: Buffer[]): Buffer {
  return Buffer.concat([signatureHead(0x13, 17, subpackets), length(2, 0), Buffer.alloc(2), number(250), number(250)]);
}

/** The beginning of a signature packet with SHA-512, up to the end of the hashed part. */
function signatureHead(type: number, algorithm: number, subpackets: readonly Buffer[]): Buffer {
  const area = Buffer.concat(subpackets);
  return Buffer.concat([Buffer.from([4, type, algorithm, 10]), length(2, area.length), area]);
}

function creation(seconds: number): Buffer {
  return subpacket(2, length(4, seconds));
}

function length(size: number, value: number): Buffer {
  const octets = Buffer.alloc(size);
  octets.writeUIntBE(value, 0, size);
  return octets;
}

function framed(mark: number, size: number, content: Buffer): Buffer {
  return Buffer.concat([Buffer.from([mark]), length(size, content.length), content]);
}

function keyIdOf(key: Buffer): Buffer {
  return createHash('sha1')
    .update(framed(0x99, 2, key))
    .digest()
    .subarray(-8);
}

/** ASCII armour of a kind, in lines of 64 characters. */
export function armoured(octets: Buffer, kind = 'PGP PUBLIC KEY BLOCK'): string {
  const lines = octets.toString('base64').match(/.{1,64}/g) ?? [];
  const blank = kind.startsWith('PGP') ? [''] : [];
  return [`-----BEGIN ${kind}-----`, ...blank, ...lines, `-----END ${kind}-----`, ''].join('\n');
}

/** An element of DER with this content. */
export function der(tag: number, ...content: Buffer[]): Buffer {
  const body = Buffer.concat(content);
  return Buffer.concat([
    body.length < 128 ? Buffer.from([tag, body.length]) : Buffer.from([tag, 0x84]),
    long(body),
    body,
  ]);
}

function long(body: Buffer): Buffer {
  return body.length < 128 ? Buffer.alloc(0) : length(4, body.length);
}
