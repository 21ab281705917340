import type { Annotations, FoundObject, PageContacts, SearchResponse } from '@cadastre/proto/search';
import type { Call } from '@cadastre/service';
import { type Annotators, annotate } from '../annotations/annotate.js';
import { type ContactTypes, contactsOf } from '../run/contacts.js';
import type { Found } from '../run/found.js';
import type { RouteRules } from '../run/route-rules.js';
import { briefObject, shownObject } from '../run/shown-object.js';

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
