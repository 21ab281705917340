import type { ObjectTypeName } from './types.js';

/** One attribute as it was written. */
export interface Attribute {
  /** Lower case; the long name, or the short one as sent when names were not expanded. */
  readonly name: string;
  /**
   * Everything after the colon, verbatim: leading spaces and comments included, continuation lines joined by LF
   * with their leading character kept, no final newline.
   */
  readonly raw: string;
}

export interface RpslObject {
  readonly type: ObjectTypeName;
  readonly attributes: readonly Attribute[];
}

/** The first attribute of that (lower case) name. */
export function firstOf(o: RpslObject, name: string): Attribute | undefined {
  for (const attribute of o.attributes) {
    if (attribute.name === name) {
      return attribute;
    }
  }
  return undefined;
}

/** All attributes of that name, in object order. */
export function allOf(o: RpslObject, name: string): Attribute[] {
  return o.attributes.filter((a) => a.name === name);
}

export function hasAttribute(o: RpslObject, name: string): boolean {
  return firstOf(o, name) !== undefined;
}
