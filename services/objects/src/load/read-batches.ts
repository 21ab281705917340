import { splitDump } from '@cadastre/rpsl';
import { createKeySet, type KeySet } from './key-set.js';
import { type LoadedObject, type Rejection, readObject } from './read-object.js';

/** A part of a dump, small enough to be held in memory and stored at once. */
export interface Batch {
  readonly objects: readonly LoadedObject[];
  readonly rejections: readonly Rejection[];
}

/**
 * A batch ends when it has reached one of these. Small enough to die young in the collector's eyes: batches of 10,000
 * objects cost half as much CPU again.
 */
const maxObjects = 2_000;
const maxCharacters = 16_000_000;
const maxRejections = 500;

/** All keys that a dump has named so far, whether their objects were accepted or not. */
export interface NamedKeys {
  readonly accepted: KeySet;
  readonly rejected: KeySet;
}

export function noNamedKeys(): NamedKeys {
  return { accepted: createKeySet(), rejected: createKeySet() };
}

/** How the sets of named keys write a key. */
export function namedKey(id: { readonly type: string; readonly key: string }): string {
  return `${id.type} ${id.key}`;
}

/** Reads a dump in batches and adds to `named` what it finds. A key that comes again is rejected. */
export async function* readBatches(
  text: AsyncIterable<string>,
  sourceName: string,
  named: NamedKeys,
): AsyncGenerator<Batch> {
  let objects: LoadedObject[] = [];
  let rejections: Rejection[] = [];
  let characters = 0;
  for await (const entry of splitDump(text)) {
    const read = readObject(entry, sourceName);
    if (!read.ok) {
      rejections.push(read.rejection);
      if (read.rejection.id !== undefined) named.rejected.add(namedKey(read.rejection.id));
    } else if (named.accepted.add(namedKey(read.object))) {
      objects.push(read.object);
      characters += read.object.text.length;
    } else {
      const { type, key } = read.object;
      rejections.push({ line: entry.line, name: `${type} ${key}`, reasons: ['The dump has this key already'] });
    }
    if (objects.length >= maxObjects || characters >= maxCharacters || rejections.length >= maxRejections) {
      yield { objects, rejections };
      objects = [];
      rejections = [];
      characters = 0;
    }
  }
  if (objects.length > 0 || rejections.length > 0) yield { objects, rejections };
}
