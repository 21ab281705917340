import { normalise, parseObject, type RpslObject } from '@cadastre/rpsl';
import type { StoredObject } from './stored-object.js';

/** A stored text with its type and key. */
export type StoredText = Pick<StoredObject, 'type' | 'key' | 'text'>;

/**
 * Parses a stored text. Throws when it does not parse or has another type: it parsed when it was stored, so the data is
 * corrupt.
 */
export function parseStored(stored: StoredText): RpslObject {
  const object = parsed(stored);
  if (object.type !== stored.type) {
    throw new Error(`stored object ${stored.type} ${stored.key} has a text of another type: ${object.type}`);
  }
  return object;
}

/** Parses a stored text into normal form, for comparison with submitted objects. Throws when it does not parse. */
export function normalisedStored(stored: StoredText): RpslObject {
  return normalise(parsed(stored)).object;
}

/** Parses a text; undefined when it does not parse, for callers that skip it. */
export function parseReadable(text: string): RpslObject | undefined {
  const result = parseObject(text);
  return result.ok ? result.object : undefined;
}

function parsed({ type, key, text }: StoredText): RpslObject {
  const object = parseReadable(text);
  if (object === undefined) throw new Error(`stored object ${type} ${key} does not parse`);
  return object;
}
