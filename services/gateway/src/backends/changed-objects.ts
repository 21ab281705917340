import { type ChangeEvent, eventObjectJson, shownObjects } from '@cadastre/changes';
import type { LookUp } from '@cadastre/searches';

/** The source and the base of links of an object of a change. */
export interface ShownAs {
  readonly source: string;
  /** Base of links, without a final slash. */
  readonly base: string;
}

/**
 * The object of a change in JSON, if `shownObjects` shows it; undefined also when it is too large for a stream. Throws
 * a ServiceError.
 */
export type ChangedObject = (event: ChangeEvent, as: ShownAs) => Promise<string | undefined>;

/** Looks up objects; `main` is the main source. */
export function createChangedObjects(main: string, lookUp: LookUp): ChangedObject {
  const shownObject = shownObjects(main, lookUp);
  return async (event, { source, base }) => {
    const object = await shownObject(event, source);
    return object && eventObjectJson(object, base);
  };
}
