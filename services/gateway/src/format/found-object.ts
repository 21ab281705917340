import type { AbuseContact, FoundObject } from '@cadastre/proto/search';
import { type ObjectView, objectEntry } from './object.js';
import type { AbuseContactEntry, ObjectEntry } from './resource.js';

/** An object of a result with what was found about it; `undefined` when its text is no object. */
export function foundEntry(found: FoundObject, view: ObjectView): ObjectEntry | undefined {
  const { object, resourceHolder, abuseContact, managed, managedAttributes, messages } = found;
  const entry = object && objectEntry(object, { ...view, managed: managedAttributes });
  return (
    entry && {
      ...entry,
      ...(resourceHolder ? { resourceHolder } : {}),
      ...(abuseContact ? { abuseContact: abuseContactEntry(abuseContact) } : {}),
      ...(managed === undefined ? {} : { managed }),
      ...(messages.length > 0 ? { messages } : {}),
    }
  );
}

function abuseContactEntry({ key, email, suspect, orgId }: AbuseContact): AbuseContactEntry {
  return { key, email, suspect, ...(orgId === '' ? {} : { orgId }) };
}
