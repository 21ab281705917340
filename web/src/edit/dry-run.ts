import type { SubmittedAttribute } from '@cadastre/client';
import { useEffect, useState } from 'preact/hooks';
import { create, update, type WriteAnswer } from '../api/objects.js';
import type { ObjectName } from '../paths.js';

/** Where an object goes: a new one of a type, or an existing one. */
export type Destination = { readonly source: string; readonly type: string } | ObjectName;

/** What a write would do, as far as the registry has said. */
export type Trial =
  | { readonly state: 'idle' }
  | { readonly state: 'checking'; readonly last?: WriteAnswer }
  | { readonly state: 'checked'; readonly last: WriteAnswer }
  | { readonly state: 'failed'; readonly error: unknown };

/** Writes an object, or tries to. Throws a RequestFailed when there is no answer about it. */
export function write(
  to: Destination,
  attributes: readonly SubmittedAttribute[],
  dryRun: boolean,
): Promise<WriteAnswer> {
  return 'key' in to ? update(to, attributes, dryRun) : create(to.source, to.type, attributes, dryRun);
}

const pauseMs = 500;

/**
 * Has the registry check an object each time it has not been changed for half a second; nothing is stored. No attributes
 * ask for no check.
 */
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
