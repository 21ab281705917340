import { attributeTypes, foldKey, listValues } from '@cadastre/rpsl';
import type { IndexReads, ObjectId } from '../index-port.js';
import type { Found } from './found.js';

/** The contacts of a source that exist: whether a handle, folded, is that of a role or of a person. */
export type ContactTypes = ReadonlyMap<string, ContactType>;
type ContactType = 'person' | 'role';

/** The contacts that the objects of a page name, by source. */
export async function contactsOf(
  index: IndexReads,
  page: readonly Found[],
): Promise<ReadonlyMap<string, ContactTypes>> {
  const handles = new Map<string, Set<string>>();
  for (const { stored, object } of page) {
    const known = handles.get(stored.source) ?? new Set();
    handles.set(stored.source, known);
    for (const handle of handlesOf(object)) known.add(handle);
  }
  const ids: ObjectId[] = [];
  for (const [source, keys] of handles) {
    for (const key of keys) ids.push({ source, type: 'role', key }, { source, type: 'person', key });
  }
  const isKnown = await index.known(ids);
  const types = new Map([...handles.keys()].map((source) => [source, new Map<string, ContactType>()]));
  for (const [at, { source, type, key }] of ids.entries()) {
    const known = types.get(source)!;
    if (isKnown[at] && !known.has(key)) known.set(key, type as ContactType);
  }
  return types;
}

/** Attributes that name persons or roles. */
const contactAttributes: ReadonlySet<string> = new Set(
  attributeTypes.filter(({ references }) => references.includes('person')).map(({ name }) => name),
);

/** The folded handles that an object names, perhaps some twice. */
export function handlesOf({ attributes }: Found['object']): string[] {
  const handles: string[] = [];
  for (const attribute of attributes) {
    if (!contactAttributes.has(attribute.name)) continue;
    for (const handle of listValues(attribute)) if (handle !== '') handles.push(foldKey('person', handle));
  }
  return handles;
}
