import type { Contact } from '@cadastre/proto/registry';
import { attributeTypes, listValues, type RpslObject } from '@cadastre/rpsl';
import { contactTypes } from '../store/contacts.js';
import type { Db } from '../store/stored-object.js';

const contactAttributes: ReadonlySet<string> = new Set(
  attributeTypes.filter((one) => one.references.includes('person')).map((one) => one.name),
);

/** The handles, in lower case, that an object names as persons or roles. */
function contactHandles(object: Pick<RpslObject, 'attributes'>): string[] {
  const named = object.attributes.filter((attribute) => contactAttributes.has(attribute.name));
  return [...new Set(named.flatMap(listValues).map((handle) => handle.toLowerCase()))];
}

/** For each object of a source its contacts that exist; all are looked up together. */
export async function resolveContacts(
  db: Db,
  objects: readonly { readonly sourceId: number; readonly object: Pick<RpslObject, 'attributes'> }[],
): Promise<Contact[][]> {
  const wanted = objects.map(({ sourceId, object }) => contactHandles(object).map((nicHdl) => ({ sourceId, nicHdl })));
  const types = await contactTypes(db, wanted.flat());
  let next = 0;
  return wanted.map((handles) =>
    handles.flatMap(({ nicHdl }) => {
      const type = types[next++];
      return type === undefined ? [] : [{ nicHdl, type }];
    }),
  );
}
