import type { Contact } from '@cadastre/proto/registry';
import { referencesOf } from '@cadastre/rpsl';
import type { ObjectId, SearchIndex } from '../index-port.js';
import type { Found } from './found.js';
import { idText } from './related.js';

/** The contacts that each object of a page names, with the type found in the index; unknown ones are left out. */
export async function contactsOf(index: SearchIndex, page: readonly Found[]): Promise<Contact[][]> {
  const handles = page.map(handlesOf);
  const ids = page.flatMap(({ stored: { source } }, position) =>
    handles[position]!.flatMap((key): ObjectId[] => [
      { source, type: 'role', key },
      { source, type: 'person', key },
    ]),
  );
  const distinct = new Map(ids.map((id) => [`${id.source} ${idText(id)}`, id]));
  const known = new Set((await index.load([...distinct.values()])).flatMap((one) => (one ? [nameOf(one)] : [])));
  return page.map(({ stored: { source } }, position) =>
    handles[position]!.flatMap((key) => {
      const type = (['role', 'person'] as const).find((one) => known.has(nameOf({ source, type: one, key })));
      return type ? [{ nicHdl: key, type }] : [];
    }),
  );
}

function handlesOf({ object }: Found): string[] {
  const references = referencesOf(object).filter((reference) => reference.types.includes('person'));
  return [...new Set(references.map((reference) => reference.key))];
}

function nameOf(id: ObjectId): string {
  return `${id.source} ${idText(id)}`;
}
