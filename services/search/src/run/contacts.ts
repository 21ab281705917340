import type { Contact } from '@cadastre/proto/registry';
import { attributeTypes, foldKey, listValues } from '@cadastre/rpsl';
import type { IndexReads, ObjectId } from '../index-port.js';
import type { Found } from './found.js';
import { idText } from './related.js';

/** The contacts that each object of a page names, with their types in the index, without unknown ones. */
export async function contactsOf(index: IndexReads, page: readonly Found[]): Promise<Contact[][]> {
  const handles = page.map(handlesOf);
  const ids = page.flatMap(({ stored: { source } }, position) =>
    handles[position]!.flatMap((key): ObjectId[] => [
      { source, type: 'role', key },
      { source, type: 'person', key },
    ]),
  );
  const distinct = [...new Map(ids.map((id) => [nameOf(id), id])).values()];
  const isKnown = await index.known(distinct);
  const known = new Set(distinct.filter((_, position) => isKnown[position]).map(nameOf));
  return page.map(({ stored: { source } }, position) =>
    handles[position]!.flatMap((key) => {
      const type = (['role', 'person'] as const).find((one) => known.has(nameOf({ source, type: one, key })));
      return type ? [{ nicHdl: key, type }] : [];
    }),
  );
}

/** Attributes that name persons or roles. */
const contactAttributes: ReadonlySet<string> = new Set(
  attributeTypes.filter(({ references }) => references.includes('person')).map(({ name }) => name),
);

function handlesOf({ object }: Found): string[] {
  const named = object.attributes.filter(({ name }) => contactAttributes.has(name)).flatMap(listValues);
  return [...new Set(named.filter((handle) => handle !== '').map((handle) => foldKey('person', handle)))];
}

function nameOf(id: ObjectId): string {
  return `${id.source} ${idText(id)}`;
}
