import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  attributeTypes,
  filterObject,
  foldKey,
  listValues,
  parseReadable,
  printObject,
  type RpslObject,
  shownKey,
} from '@cadastre/rpsl';
import type { IndexedObject, Shown } from '../index-port.js';

/** An object of a result. */
export interface Found {
  readonly stored: IndexedObject;
  readonly object: RpslObject;
  /** Found as related to another object. */
  readonly related: boolean;
  /** Left out because of its syntax: its text is not shown. */
  readonly leftOut?: true;
}

/**
 * Undefined for an unreadable text, which the index does not contain. An object that was prepared when it was indexed
 * could be read then: it is parsed again only for details that responses do not show.
 */
export function found(stored: IndexedObject, related = false): Found | undefined {
  if (stored.shown === undefined) {
    const object = parseReadable(stored.text);
    return object && { stored, object, related };
  }
  let read: RpslObject | undefined;
  return {
    stored,
    related,
    get object() {
      read ??= parseReadable(stored.text);
      if (read === undefined)
        throw new Error(`The index has an object that cannot be read: ${stored.type} ${stored.key}`);
      return read;
    },
  };
}

/** The visible part of an object in responses. */
export function shownOf(one: Found): Shown {
  return one.stored.shown ?? prepareShown(one.object, one.stored.key);
}

/** Minimum size of an object that takes milliseconds to read, in characters. */
const largeCharacters = 32 * 1024;

/**
 * The result of `read` for each object of the pages. Texts may be large: this holds none of them, and other work runs
 * between.
 */
export async function readEach<T>(
  pages: AsyncIterable<readonly IndexedObject[]>,
  read: (one: Found) => T | undefined,
): Promise<T[]> {
  const all: T[] = [];
  for await (const page of pages) {
    for (const stored of page) {
      if (stored.text.length > largeCharacters) await nextTurn();
      const one = found(stored);
      const made = one && read(one);
      if (made !== undefined) all.push(made);
    }
  }
  return all;
}

/**
 * The visible part of an object with this folded key in responses. The index in files stores it: when this changes, or
 * what `filterObject` removes, increase `format` in `embedded/tables.ts`.
 */
export function prepareShown(object: RpslObject, key: string): Shown {
  const filtered = filterObject(object);
  return {
    key: shownKey(object, key),
    ...(filtered !== object && { text: printObject(filtered) }),
    handles: [...new Set(handlesOf(object))],
  };
}

/** Attributes that name persons or roles. */
const contactAttributes: ReadonlySet<string> = new Set(
  attributeTypes.filter(({ references }) => references.includes('person')).map(({ name }) => name),
);

/** The folded handles that an object names, possibly with duplicates. */
function handlesOf({ attributes }: RpslObject): string[] {
  const handles: string[] = [];
  for (const attribute of attributes) {
    if (!contactAttributes.has(attribute.name)) continue;
    for (const handle of listValues(attribute)) if (handle !== '') handles.push(foldKey('person', handle));
  }
  return handles;
}
