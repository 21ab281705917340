import type { SubmittedAttribute } from '@cadastre/client';
import { useEffect, useState } from 'preact/hooks';
import { create, update, type WriteAnswer } from '../api/objects.js';
import type { ObjectName } from '../paths.js';

/** The destination of a write: a new object of a type, or an existing object. */
export type Destination = { readonly source: string; readonly type: string } | ObjectName;

/** The result of a dry run so far. */
export type Trial =
  | { readonly state: 'idle' }
  | { readonly state: 'checking'; readonly last?: WriteAnswer }
  | { readonly state: 'checked'; readonly last: WriteAnswer }
  | { readonly state: 'failed'; readonly error: unknown };

/** Writes an object or performs a dry run. Throws a RequestFailed without a response about the object. */
export function write(
  to: Destination,
  attributes: readonly SubmittedAttribute[],
  dryRun: boolean,
): Promise<WriteAnswer> {
  return 'key' in to ? update(to, attributes, dryRun) : create(to.source, to.type, attributes, dryRun);
}

const pauseMs = 500;

/** Performs a dry run whenever the object has not changed for half a second. Without attributes there is no dry run. */
export function useDryRun(to: Destination, attributes: readonly SubmittedAttribute[]): Trial {
  const [trial, setTrial] = useState<Trial>({ state: 'idle' });
  const question = JSON.stringify(attributes);
  useEffect(() => {
    let isWanted = true;
    if (attributes.length === 0) return setTrial({ state: 'idle' });
    setTrial((before) => ({ state: 'checking', ...('last' in before && before.last ? { last: before.last } : {}) }));
    const timer = setTimeout(() => {
      write(to, attributes, true).then(
        (last) => isWanted && setTrial({ state: 'checked', last }),
        (error) => isWanted && setTrial({ state: 'failed', error }),
      );
    }, pauseMs);
    return () => {
      isWanted = false;
      clearTimeout(timer);
    };
  }, [question]);
  return trial;
}
