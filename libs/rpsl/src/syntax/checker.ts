import type { ObjectTypeName } from '../types.js';

/** True when the clean value is well formed in an object of this type. */
export type Checker = (value: string, type: ObjectTypeName) => boolean;

/** A value that fits the expression; `maxLength` in characters is looked at first. */
export function pattern(regex: RegExp, maxLength = Number.POSITIVE_INFINITY): Checker {
  return (value) => value.length <= maxLength && regex.test(value);
}

/** One of the (upper case) words, in any letter case. */
export function oneOf(...words: readonly string[]): Checker {
  const known = new Set(words);
  return (value) => known.has(value.toUpperCase());
}

/** A syntax that differs by object type; no value fits in any other type. */
export function variants(byType: { readonly [type in ObjectTypeName]?: Checker }): Checker {
  return (value, type) => byType[type]?.(value, type) ?? false;
}

export function anyOf(...checkers: readonly Checker[]): Checker {
  return (value, type) => checkers.some((accepts) => accepts(value, type));
}

export function anything(): boolean {
  return true;
}
