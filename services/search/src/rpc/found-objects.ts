import type { RegistryObject } from '@cadastre/proto/registry';
import type { Annotations, FoundObject, NamedObject, PageContacts, SearchResponse } from '@cadastre/proto/search';
import { filterObject, printObject, shownKey } from '@cadastre/rpsl';
import type { Call } from '@cadastre/service';
import { type Annotators, annotate } from '../annotations/annotate.js';
import type { IndexReads, ObjectId, Shown } from '../index-port.js';
import { type Found, shownOf } from '../run/found.js';
import type { RouteRules } from '../run/route-rules.js';
import { titleOf } from '../words.js';

/** How a result is shown. */
export interface Presentation extends Pick<RouteRules, 'marks'> {
  readonly unfiltered: boolean;
  readonly annotations: Annotations;
  /** As in the request. */
  readonly brief: boolean;
}

const noContacts: ContactTypes = new Map();

/** The objects of a page in the form of the contract, and their contacts. */
export async function foundObjects(
  page: readonly Found[],
  { unfiltered, annotations, brief, marks }: Presentation,
  annotators: Annotators,
  call: Call,
): Promise<Pick<SearchResponse, 'objects' | 'contacts'>> {
  const [contacts, remarks] = await Promise.all([
    contactsOf(
      annotators.index,
      page.filter(({ leftOut }) => !leftOut),
    ),
    annotate(page, annotations, annotators, call, marks),
  ]);
  const objects = page.map((one, position): FoundObject => {
    const { related, leftOut } = one;
    const object =
      brief || leftOut
        ? briefObject(one, unfiltered)
        : shownObject(one, contacts.get(one.stored.source) ?? noContacts, unfiltered);
    return { object, related, ...remarks[position]!, ...(leftOut && { leftOut }) };
  });
  return brief ? { objects, contacts: pageContacts(contacts) } : { objects };
}

function pageContacts(contacts: ReadonlyMap<string, ContactTypes>): PageContacts {
  const sources: PageContacts['sources'] = [];
  for (const [source, types] of contacts) {
    const all = { source, persons: [] as string[], roles: [] as string[] };
    for (const [handle, type] of types) (type === 'role' ? all.roles : all.persons).push(handle);
    if (types.size > 0) sources.push(all);
  }
  return { sources };
}

/** An object in a response: always without `auth`, without e-mail attributes unless `unfiltered`. */
export function shownObject(one: Found, contacts: ContactTypes, unfiltered: boolean): RegistryObject {
  const { revision, serial, created, modified } = one.stored;
  const shown = shownOf(one);
  return {
    ...brief(one, shown, unfiltered),
    revision,
    serial,
    created,
    lastModified: modified,
    contacts: shown.handles.flatMap((nicHdl) => {
      const type = contacts.get(nicHdl);
      return type ? [{ nicHdl, type }] : [];
    }),
  };
}

/** An object in a response, without what a brief result omits. */
export function briefObject(one: Found, unfiltered: boolean): RegistryObject {
  return brief(one, shownOf(one), unfiltered);
}

function brief(one: Found, shown: Shown, unfiltered: boolean): RegistryObject {
  const { source, type, tags } = one.stored;
  return {
    source,
    type,
    key: shown.key,
    text: one.leftOut ? '' : shownText(one, shown, unfiltered),
    revision: 0,
    serial: 0n,
    contacts: [],
    tags: [...tags],
  };
}

function shownText(one: Found, shown: Shown, unfiltered: boolean): string {
  const { text } = one.stored;
  // What every reader sees is all of it, or a part is hidden from every reader.
  if (shown.text === undefined) return text;
  if (!unfiltered) return shown.text;
  const filtered = filterObject(one.object, { unfiltered });
  return filtered === one.object ? text : printObject(filtered);
}

/** The existing contacts of a source: whether a folded handle is that of a role or of a person. */
type ContactTypes = ReadonlyMap<string, ContactType>;
type ContactType = 'person' | 'role';

/** The contacts that the objects of a page name, by source. */
async function contactsOf(index: IndexReads, page: readonly Found[]): Promise<ReadonlyMap<string, ContactTypes>> {
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

/** An object by its key and its title, in the form of the contract. */
export function namedObject({ stored, object }: Found): NamedObject {
  const { source, type } = stored;
  return { source, type, key: shownKey(object, stored.key), title: titleOf(object) ?? '' };
}
