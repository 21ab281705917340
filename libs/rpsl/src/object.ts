import type { ObjectTypeName } from './types.js';

/** One attribute as written. */
export interface Attribute {
  /** Lower case; the long name, or the short one as sent when names were not expanded. */
  readonly name: string;
  /**
   * Everything after the colon, verbatim: with leading spaces and comments, continuation lines joined by LF
   * with their leading character, without a final newline.
   */
  readonly raw: string;
}

export interface RpslObject {
  readonly type: ObjectTypeName;
  readonly attributes: readonly Attribute[];
}

/** The first attribute with this (lower-case) name. */
export function firstOf(o: RpslObject, name: string): Attribute | undefined {
  for (const attribute of o.attributes) {
    if (attribute.name === name) return attribute;
  }
  return undefined;
}

/** All attributes with this name, in object order. */
export function allOf(o: RpslObject, name: string): Attribute[] {
  return o.attributes.filter((a) => a.name === name);
}

export function hasAttribute(o: RpslObject, name: string): boolean {
  return firstOf(o, name) !== undefined;
}
