import { type ChangeEvent, shownObjects } from '@cadastre/changes';
import { objectEntry, objectJson } from '@cadastre/documents';
import type { LookUp } from './lookup-batcher.js';

/** Where an object of a change belongs. */
export interface ShownAs {
  readonly source: string;
  /** Base of links, without a final slash. */
  readonly base: string;
}

/**
 * The object of a change in JSON, as far as `shownObjects` shows it; undefined also when it is too large for a stream.
 * Throws a ServiceError.
 */
export type ChangedObject = (event: ChangeEvent, as: ShownAs) => Promise<string | undefined>;

/** Maximum length of an object in an event, in characters of JSON. */
const longestObject = 64 * 1024;

/** Looks up objects. */
export function createChangedObjects(lookUp: LookUp): ChangedObject {
  const shownObject = shownObjects(lookUp);
  return async (event, { source, base }) => {
    const object = await shownObject(event, source);
    const entry = object && objectEntry(object, { base, unformatted: false });
    const json = entry && objectJson(entry);
    return json !== undefined && json.length <= longestObject ? json : undefined;
  };
}
