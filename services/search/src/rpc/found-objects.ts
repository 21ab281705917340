import type { Annotations, FoundObject } from '@cadastre/proto/search';
import type { Call } from '@cadastre/service';
import { type Annotators, annotate } from '../annotations/annotate.js';
import { contactsOf } from '../run/contacts.js';
import type { Found } from '../run/found.js';
import { shownObject } from '../run/shown-object.js';

/** The objects of a page in the form of the contract. */
export async function foundObjects(
  page: readonly Found[],
  unfiltered: boolean,
  wanted: Annotations,
  annotators: Annotators,
  call: Call,
): Promise<FoundObject[]> {
  const [contacts, remarks] = await Promise.all([
    contactsOf(annotators.index, page),
    annotate(page, wanted, annotators, call),
  ]);
  return page.map((one, position) => ({
    object: shownObject(one, contacts[position]!, unfiltered),
    related: one.related,
    ...remarks[position]!,
  }));
}
