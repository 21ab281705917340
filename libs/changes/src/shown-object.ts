import { objectEntry, objectJson } from '@cadastre/documents';
import { type Lookup, type LookupAnswer, LookupStatus } from '@cadastre/proto/objects';
import { type RegistryObject, View } from '@cadastre/proto/registry';
import { isPersonal } from '@cadastre/rpsl';
import type { ChangeEvent } from './change-event.js';

/**
 * The object of a change as a filtered lookup shows it now. Undefined when such a lookup does not show the state that
 * the change made, for a deletion, and for a personal object. Throws a ServiceError.
 */
export type ShownObject = (
  event: Pick<ChangeEvent, 'type' | 'key' | 'revision'>,
  source: string,
) => Promise<RegistryObject | undefined>;

/** Maximum length of an object in an event, in characters. */
const maxObjectLength = 64 * 1024;

/** The text of an object for an event; undefined when it is too large. */
export function eventObjectText({ text }: RegistryObject): string | undefined {
  return text.length <= maxObjectLength ? text : undefined;
}

/** An object for an event as JSON, with links below `base`; undefined when it is too large, or cannot be read. */
export function eventObjectJson(object: RegistryObject, base: string): string | undefined {
  const entry = objectEntry(object, { base, unformatted: false });
  const json = entry && objectJson(entry);
  return json !== undefined && json.length <= maxObjectLength ? json : undefined;
}

/** Looks up objects; `main` is the main source. Concurrent lookups of the same object share one call. */
export function shownObjects(main: string, lookUp: (lookup: Lookup) => Promise<LookupAnswer>): ShownObject {
  const running = new Map<string, Promise<LookupAnswer>>();
  const shared = (lookup: Lookup) => {
    const { source, type, key } = lookup.key!;
    const name = `${source}|${type}|${key}`;
    const known = running.get(name) ?? lookUp(lookup).finally(() => running.delete(name));
    running.set(name, known);
    return known;
  };
  return async ({ type, key, revision }, source) => {
    if (type === 'person') return undefined;
    const { status, object } = await shared({
      key: { source, type, key },
      view: View.VIEW_FILTERED,
      withContacts: true,
    });
    const isFound = status === LookupStatus.LOOKUP_STATUS_FOUND && object?.revision === revision;
    return isFound && !isPersonal(object, main) ? object : undefined;
  };
}
