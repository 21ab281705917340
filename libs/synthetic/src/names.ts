import { pick, randomOf, streamOf } from './random.js';
import type { Registry } from './registry.js';
import { companyForms, companyKinds, companyWords, firstNames, lastNames } from './words.js';

const letters = 26;
/** Handles start here, to avoid manually created objects. */
const firstHandle = 101;
/** Start of the 32-bit numbers for private use (RFC 6996). */
const firstAsNumber = 4_200_000_000;
const personStream = streamOf('person name');
const companyStream = streamOf('company name');

/** A unique word for an index and kind of name: `FJORD`, later `FJORD1`, `FJORD2`, ... */
export function uniqueWord(index: number): string {
  const word = (companyWords[index % companyWords.length] as string).toUpperCase();
  const round = Math.floor(index / companyWords.length);
  return round === 0 ? word : `${word}${round}`;
}

export function mntnerName(index: number): string {
  return `${uniqueWord(index)}-MNT`;
}

export function irtName(index: number): string {
  return `IRT-${uniqueWord(index)}`;
}

/** The two letters of a person's handle; consecutive persons get different ones. */
function initialsOf(index: number): [first: number, last: number] {
  const pair = (index * 385) % (letters * letters);
  return [Math.floor(pair / letters), pair % letters];
}

const letter = (n: number): string => String.fromCharCode(65 + n);

export function personHandle(registry: Registry, index: number): string {
  const [first, last] = initialsOf(index);
  return `${letter(first)}${letter(last)}${firstHandle + Math.floor(index / (letters * letters))}${registry.suffix}`;
}

export function personName(registry: Registry, index: number): string {
  const random = randomOf(registry.seed, personStream, index);
  const [first, last] = initialsOf(index);
  return `${pick(random, firstNames[first] ?? [])} ${pick(random, lastNames[last] ?? [])}`;
}

export function roleHandle(registry: Registry, index: number): string {
  return `${uniqueWord(index)[0]}NOC${firstHandle + index}${registry.suffix}`;
}

export function companyName(registry: Registry, index: number): string {
  const random = randomOf(registry.seed, companyStream, index);
  const word = companyWords[index % companyWords.length];
  return `${word} ${pick(random, companyKinds)} ${pick(random, companyForms)}`;
}

export function organisationHandle(registry: Registry, index: number): string {
  return `ORG-${uniqueWord(index).slice(0, 2)}${firstHandle + index}${registry.suffix}`;
}

export function asNumber(index: number): number {
  return firstAsNumber + index;
}

export function asName(index: number): string {
  return `AS${asNumber(index)}`;
}

/** Sets: every third has a name below an existing AS number. */
export function setName(registry: Registry, prefix: string, index: number): string {
  const name = `${prefix}-${uniqueWord(index)}`;
  return index % 3 === 2 ? `${asName(index % registry.counts['aut-num'])}:${name}` : name;
}

/** Every fourth certificate is an X.509 one; the others are PGP keys. */
export function keyCertName(registry: Registry, index: number): string {
  if (index % 4 === 3) {
    return `X509-${firstHandle + index}`;
  }
  const id = (Math.imul(index, 0x9e3779b1) ^ registry.seed) >>> 0;
  return `PGPKEY-${id.toString(16).toUpperCase().padStart(8, '0')}`;
}

export function mailbox(word: string): string {
  return `${word.toLowerCase()}@example.net`;
}
