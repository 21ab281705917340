import type { Tag } from '@cadastre/proto/registry';
import type { ObjectTypeName } from '@cadastre/rpsl';
import { type IndexDocument, type IndexedObject, smallText } from '../index-port.js';
import { asAddress, digits } from './numbers.js';

/** A stored document; mapping.ts explains each field. */
export interface StoredDocument {
  readonly type: ObjectTypeName;
  readonly key: string;
  readonly terms: readonly string[];
  readonly hosts: readonly string[];
  readonly words: readonly string[];
  readonly name?: string;
  readonly called?: string;
  readonly descr?: string;
  readonly space?: string;
  readonly first?: string;
  readonly last?: string;
  readonly span?: { readonly gte: string; readonly lte: string };
  readonly start?: string;
  readonly origin: string;
  readonly object: {
    /** Absent for a large text, which is in `large`. */
    readonly text?: string;
    readonly bytes: number;
    readonly revision: number;
    /** Decimal: JSON numbers are too narrow. */
    readonly serial: string;
    readonly created?: string;
    readonly modified: string;
    readonly tags: readonly Tag[];
  };
  readonly large?: { readonly text: string };
}

export function toStored(document: IndexDocument): StoredDocument {
  const { type, key, terms, hosts, words, name, personName, descr, range, origin = '' } = document;
  const called = name ?? personName;
  const { text, revision, serial, created, modified, tags } = document;
  const bytes = Buffer.byteLength(text);
  const isSmall = bytes <= smallText;
  return {
    type,
    key,
    terms,
    hosts,
    words: Array.from(words, ([word, rank]) => storedWord(word, rank)),
    ...(name !== undefined && { name: storedName(name, type) }),
    ...(called !== undefined && { called }),
    ...(descr !== undefined && { descr }),
    ...(range && {
      space: range.space,
      first: digits(range.first),
      last: digits(range.last),
      span: { gte: asAddress(range.first), lte: asAddress(range.last) },
      start: asAddress(range.first),
    }),
    origin,
    object: {
      ...(isSmall && { text }),
      bytes,
      revision,
      serial: serial.toString(),
      ...(created && { created: created.toISOString() }),
      modified: modified.toISOString(),
      tags,
    },
    ...(!isSmall && { large: { text } }),
  };
}

/** A word with its rank in an object. */
export function storedWord(word: string, rank: number): string {
  return `${rank}${word}`;
}

/** A name with its type: suggestions show one object for each. */
export function storedName(name: string, type: ObjectTypeName): string {
  return `${name}\n${type}`;
}

/** Undefined without the text. */
export function toIndexed(
  source: string,
  { type, key, object, large }: Pick<StoredDocument, 'type' | 'key' | 'object' | 'large'>,
): IndexedObject | undefined {
  const { text = large?.text, revision, serial, created, modified, tags } = object;
  if (text === undefined) return undefined;
  return {
    source,
    type,
    key,
    text,
    revision,
    serial: BigInt(serial),
    ...(created !== undefined && { created: new Date(created) }),
    modified: new Date(modified),
    tags,
  };
}
