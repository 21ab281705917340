import { hash } from 'node:crypto';
import { allOf, cleanValue, parseAsNumber, parseSetName, type RpslObject } from '@cadastre/rpsl';

/** A set in the form of the index: four bytes for an AS number, and the text of all others. */
export interface CompactSet {
  /** The AS numbers among its members, ascending. */
  readonly asNumbers: Uint32Array;
  /** All other members, as in answers, separated by commas. */
  readonly others: string;
  /** The mntners whose objects may join it (`mbrs-by-ref`), in lower case, separated by commas; possibly `any`. */
  readonly admitted: string;
  /** Number of all members. */
  readonly members: number;
  /** With the mntners whose objects may join it. */
  readonly size: number;
}

/**
 * Reads a set; undefined for one with more than `max` members and mntners, as written: reading them would take long.
 */
export function compactSet(set: RpslObject, max: number): CompactSet | undefined {
  const members = listed(set, ['members', 'mp-members'], max);
  const admitted = listed(set, ['mbrs-by-ref'], max);
  if (members === undefined || admitted === undefined) return undefined;
  const ofRouters = set.type === 'rtr-set';
  const numbers: number[] = [];
  const others = new Set<string>();
  for (const member of members) {
    const number = ofRouters ? undefined : parseAsNumber(member);
    if (number === undefined) others.add(spelled(member, ofRouters));
    else numbers.push(number);
  }
  const asNumbers = Uint32Array.from(new Set(numbers)).sort();
  const mntners = new Set(admitted.map((name) => name.toLowerCase()));
  const count = asNumbers.length + others.size;
  if (count + mntners.size > max) return undefined;
  const texts = { others: flat([...others]), admitted: flat([...mntners]) };
  return { asNumbers, ...texts, members: count, size: count + mntners.size };
}

/** The values in a text of the index. */
export function valuesIn(text: string): string[] {
  return text === '' ? [] : text.split(',');
}

/** Approximate bytes of a set: measured with 100,000 small sets. */
export function bytesOf({ asNumbers, others, admitted }: CompactSet): number {
  return 500 + asNumbers.byteLength + others.length + admitted.length;
}

/** The values of list attributes, repeated ones too; undefined when there are more than `max`. */
export function listed(object: RpslObject, names: readonly string[], max: number): string[] | undefined {
  const values: string[] = [];
  for (const attribute of names.flatMap((name) => allOf(object, name))) {
    for (const value of cleanValue(attribute).split(',', max + 1 - values.length)) {
      if (values.push(value.trim()) > max) return undefined;
    }
  }
  return values.filter((value) => value !== '');
}

/**
 * The mntners of an object together, as one short text: its members count for them. Not for one of them: somebody with a
 * mntner may name others beside it, and would use up what they may have.
 */
export function maintainersTogether(object: RpslObject): string {
  const names = allOf(object, 'mnt-by').flatMap((attribute) => cleanValue(attribute).toLowerCase().split(','));
  return hash('sha256', [...new Set(names.map((name) => name.trim()))].sort().join(), 'base64');
}

/** A text of its own. Parts of the text of an object would hold all of it in memory, up to a megabyte. */
export function flat(values: readonly string[]): string {
  return Buffer.from(values.join()).toString();
}

/** Names of sets and AS numbers in upper case, prefixes and routers in lower case. */
export function spelled(member: string, ofRouters: boolean): string {
  if (ofRouters) return parseSetName(member) ? member.toUpperCase() : member.toLowerCase();
  return member.includes('/') && /^[0-9a-f.:]+\//i.test(member) ? member.toLowerCase() : member.toUpperCase();
}
