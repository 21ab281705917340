/** Why a library must not parse this DER: it is malformed, or exceeds a bound. */
export type DerBound = 'malformed' | 'too deep' | 'too many elements' | 'a number is too long' | 'explicit curve';

/** Names in certificates nest 5 deep, CMS with a certificate inside 12. */
const maxDepth = 32;
/** A certificate has 100 to 300, CMS with a chain of five 2,000. */
const maxElements = 4_000;
/** Numbers of RSA keys, their exponents and DSA parameters: 8,192 bits with a sign. */
const maxIntegerOctets = 1_025;
/** Keys (an RSA key of 8,192 bits with its exponent) and signatures. */
const maxBitStringOctets = 1_200;

const tag = { integer: 0x02, bitString: 0x03, objectIdentifier: 0x06, endMarker: 0x00 } as const;
/**
 * prime-field and characteristic-two-field (X9.62). Certificates name their curves; the author of an explicit curve
 * decides what its check costs.
 */
const fieldTypes: ReadonlySet<string> = new Set(['2a8648ce3d0101', '2a8648ce3d0102']);

/**
 * Checks DER, or BER as in CMS, against the bounds without interpreting it; returns the first bound that it exceeds.
 * Accepts certificates and CMS. Ignores octets after the first element. Cost: linear.
 */
export function exceededDerBound(octets: Buffer): DerBound | undefined {
  const first = headerAt(octets, 0, octets.length);
  if (first === undefined || !first.isConstructed) return 'malformed';
  const content = { start: first.start, end: first.end ?? octets.length, isOpen: first.end === undefined };
  const walked = walk(octets, content, 1, 1);
  return typeof walked === 'string' ? walked : undefined;
}

/** A range of octets that holds elements; an open piece has an end marker instead of a length. */
interface Piece {
  readonly start: number;
  readonly end: number;
  readonly isOpen: boolean;
}

interface Walked {
  /** Where the next element starts. */
  readonly next: number;
  /** Number of elements so far. */
  readonly elements: number;
}

function walk(octets: Buffer, { start, end, isOpen }: Piece, depth: number, before: number): Walked | DerBound {
  let at = start;
  let elements = before;
  while (at < end) {
    const header = headerAt(octets, at, end);
    if (header === undefined) return 'malformed';
    elements += 1;
    if (elements > maxElements) return 'too many elements';
    if (header.tag === tag.endMarker) return isOpen ? { next: header.start, elements } : 'malformed';
    if (header.isConstructed) {
      if (depth === maxDepth) return 'too deep';
      const inner = { start: header.start, end: header.end ?? end, isOpen: header.end === undefined };
      const walked = walk(octets, inner, depth + 1, elements);
      if (typeof walked === 'string') return walked;
      at = walked.next;
      elements = walked.elements;
    } else {
      const exceeded = exceededIn(header.tag, octets.subarray(header.start, header.end));
      if (exceeded !== undefined) return exceeded;
      at = header.end!;
    }
  }
  return isOpen ? 'malformed' : { next: at, elements };
}

interface Header {
  /** First octet. */
  readonly tag: number;
  readonly isConstructed: boolean;
  readonly start: number;
  /** Undefined when an end marker closes the element. */
  readonly end: number | undefined;
}

function headerAt(octets: Buffer, at: number, limit: number): Header | undefined {
  const first = octets[at]!;
  const second = octets[at + 1]!;
  const isConstructed = (first & 0x20) !== 0;
  // Neither certificates nor CMS have tags above 30. A bit string in pieces would hide its length.
  if (at + 2 > limit || (first & 0x1f) === 0x1f || first === (tag.bitString | 0x20)) return undefined;
  if (second === 0x80) return isConstructed ? { tag: first, isConstructed, start: at + 2, end: undefined } : undefined;
  const size = second < 0x80 ? 0 : second & 0x7f;
  const start = at + 2 + size;
  if (size > 4 || start > limit) return undefined;
  const end = start + (size === 0 ? second : octets.readUIntBE(at + 2, size));
  return end > limit ? undefined : { tag: first, isConstructed, start, end };
}

function exceededIn(type: number, content: Buffer): DerBound | undefined {
  const isTooLong =
    (type === tag.integer && content.length > maxIntegerOctets) ||
    (type === tag.bitString && content.length > maxBitStringOctets);
  if (isTooLong) return 'a number is too long';
  return type === tag.objectIdentifier && fieldTypes.has(content.toString('hex')) ? 'explicit curve' : undefined;
}
