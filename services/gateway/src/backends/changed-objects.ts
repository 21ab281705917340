import { type Lookup, type LookupAnswer, LookupStatus } from '@cadastre/proto/objects';
import { View } from '@cadastre/proto/registry';
import type { ChangeEvent } from '../format/change-event.js';
import { objectJson } from '../format/json.js';
import { objectEntry } from '../format/object.js';
import { isPersonal } from '../limits/personal-objects.js';
import type { LookUp } from './lookup-batcher.js';

/** Where an object of a change belongs. */
export interface ShownAs {
  readonly source: string;
  /** Base of links, without a final slash. */
  readonly base: string;
}

/**
 * The object of a change as a filtered lookup shows it now, in JSON. Undefined when such a lookup does not show the
 * state that the change made, for a deletion, a personal object, and an object that is too large for a stream. Throws a
 * ServiceError.
 */
export type ChangedObject = (event: ChangeEvent, as: ShownAs) => Promise<string | undefined>;

/** Maximum length of an object in an event, in characters of JSON. */
const longestObject = 64 * 1024;

/** Looks up objects. Streams that ask for the same object at the same time share a lookup. */
export function createChangedObjects(lookUp: LookUp): ChangedObject {
  const running = new Map<string, Promise<LookupAnswer>>();
  const shared = (lookup: Lookup) => {
    const { source, type, key } = lookup.key!;
    const name = `${source}|${type}|${key}`;
    const known = running.get(name) ?? lookUp(lookup).finally(() => running.delete(name));
    running.set(name, known);
    return known;
  };
  return async ({ type, key, revision }, { source, base }) => {
    if (type === 'person') return undefined;
    const { status, object } = await shared({
      key: { source, type, key },
      view: View.VIEW_FILTERED,
      withContacts: true,
    });
    if (status !== LookupStatus.LOOKUP_STATUS_FOUND || object?.revision !== revision || isPersonal(object)) {
      return undefined;
    }
    const entry = objectEntry(object, { base, unformatted: false });
    const json = entry && objectJson(entry);
    return json !== undefined && json.length <= longestObject ? json : undefined;
  };
}
