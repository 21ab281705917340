import {
  attributeTypes,
  filterObject,
  foldKey,
  listValues,
  printObject,
  type RpslObject,
  shownKey,
} from '@cadastre/rpsl';
import type { Shown } from '../index-port.js';

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
