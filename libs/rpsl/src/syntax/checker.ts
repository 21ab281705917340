import { asciiUpperCase } from '../letter-case.js';
import type { ObjectTypeName } from '../types.js';

/** Whether the clean value is valid in an object of this type. */
export type Checker = (value: string, type: ObjectTypeName) => boolean;

/** Matches an expression; checks `maxLength` (in characters) first. */
export function pattern(regex: RegExp, maxLength = Number.POSITIVE_INFINITY): Checker {
  return (value) => value.length <= maxLength && regex.test(value);
}

/** One of the (upper case) words, in any letter case. */
export function oneOf(...words: readonly string[]): Checker {
  const known = new Set(words);
  return (value) => known.has(asciiUpperCase(value));
}

/** A syntax that differs by object type; no value is valid in other types. */
export function variants(byType: { readonly [type in ObjectTypeName]?: Checker }): Checker {
  return (value, type) => byType[type]?.(value, type) ?? false;
}

export function anyOf(...checkers: readonly Checker[]): Checker {
  return (value, type) => checkers.some((accepts) => accepts(value, type));
}

export function anything(): boolean {
  return true;
}
