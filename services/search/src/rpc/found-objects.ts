import type { Annotations, FoundObject } from '@cadastre/proto/search';
import type { Call } from '@cadastre/service';
import { type Annotators, remarksOn } from '../annotations/annotate.js';
import { contactsOf } from '../run/contacts.js';
import type { Found } from '../run/found.js';
import { shownObject } from '../run/shown-object.js';

/** A page of a result as it is sent. */
export async function foundObjects(
  page: readonly Found[],
  unfiltered: boolean,
  wanted: Annotations,
  annotators: Annotators,
  call: Call,
): Promise<FoundObject[]> {
  const [contacts, remarks] = await Promise.all([
    contactsOf(annotators.index, page),
    remarksOn(page, wanted, annotators, call),
  ]);
  return page.map((one, position) => ({
    object: shownObject(one, contacts[position]!, unfiltered),
    related: one.related,
    ...remarks[position]!,
  }));
}
