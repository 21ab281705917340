import type { IndexReads, ObjectId } from '../index-port.js';
import { type Found, shownOf } from './found.js';

/** The existing contacts of a source: whether a folded handle is that of a role or of a person. */
export type ContactTypes = ReadonlyMap<string, ContactType>;
type ContactType = 'person' | 'role';

/** The contacts that the objects of a page name, by source. */
export async function contactsOf(
  index: IndexReads,
  page: readonly Found[],
): Promise<ReadonlyMap<string, ContactTypes>> {
  const handles = new Map<string, Set<string>>();
  for (const one of page) {
    const { source } = one.stored;
    const known = handles.get(source) ?? new Set();
    handles.set(source, known);
    for (const handle of shownOf(one).handles) known.add(handle);
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
