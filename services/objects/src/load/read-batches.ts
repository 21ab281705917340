import { splitDump } from '@cadastre/rpsl';
import type { CertificateReader } from '../domain/certificates/read-certificate.js';
import { parseReadable } from '../store/parse-stored.js';
import { subkeyText } from '../store/references.js';
import { createKeySet, type KeySet } from './key-set.js';
import { type LoadedObject, type Rejection, readObject } from './read-object.js';

/** A part of a dump, small enough for memory and for one transaction. */
export interface Batch {
  readonly objects: readonly LoadedObject[];
  readonly rejections: readonly Rejection[];
}

/**
 * A batch ends at the first of these limits. Small batches stay in the young generation of the garbage collector:
 * batches of 10,000 objects cost half as much CPU again.
 */
const maxObjects = 2_000;
const maxCharacters = 16_000_000;
const maxRejections = 500;

/** All keys in a dump so far, accepted or not. */
export interface NamedKeys {
  readonly accepted: KeySet;
  readonly rejected: KeySet;
  /** The mntners and irts that its objects name, as in `LoadedObject.references`. */
  readonly maintainers: Set<string>;
}

export function noNamedKeys(): NamedKeys {
  return { accepted: createKeySet(), rejected: createKeySet(), maintainers: new Set() };
}

/** The form of a key in the sets of named keys. */
export function namedKey(id: { readonly type: string; readonly key: string }): string {
  return `${id.type} ${id.key}`;
}

/** Reads a dump in batches and adds its keys to `named`. Rejects a repeated key. */
export async function* readBatches(
  text: AsyncIterable<string>,
  sourceName: string,
  named: NamedKeys,
  certificates: Pick<CertificateReader, 'signingSubkeys'>,
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
      objects.push(read.object.type === 'key-cert' ? await withSubkeys(read.object, certificates) : read.object);
      for (const one of read.object.references) if (isMaintainer(one)) named.maintainers.add(one);
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

function isMaintainer(reference: string): boolean {
  return reference.startsWith('mntner:') || reference.startsWith('irt:');
}

/** A key-cert is also found by the subkeys that may sign for its key. */
async function withSubkeys(
  object: LoadedObject,
  certificates: Pick<CertificateReader, 'signingSubkeys'>,
): Promise<LoadedObject> {
  const keyCert = parseReadable(object.text);
  const subkeys = keyCert === undefined ? [] : await certificates.signingSubkeys(keyCert);
  return { ...object, references: [...object.references, ...subkeys.map(subkeyText)] };
}
