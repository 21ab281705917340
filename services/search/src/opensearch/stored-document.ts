import type { Tag } from '@cadastre/proto/registry';
import type { ObjectTypeName } from '@cadastre/rpsl';
import { type IndexDocument, type IndexedObject, smallText } from '../index-port.js';
import { asAddress, digits } from './clauses.js';

/**
 * Increase this with every change of the mapping or of the stored documents. A service ignores indexes of other
 * versions: a new version builds its own index while the old one serves.
 */
export const mappingVersion = 6;

/** Longer terms are not indexed; Lucene's own limit is 32766 bytes. */
const maxTermLength = 8000;

const word = { type: 'keyword', doc_values: false, ignore_above: maxTermLength };
const sorted = { type: 'keyword' };

/** The distribution of an index over the nodes of a cluster. */
export interface IndexLayout {
  readonly shards: number;
  /** Copies of each shard besides the first one, if there are nodes for them. */
  readonly replicas: number;
}

export function indexDefinition({ shards, replicas }: IndexLayout): object {
  return {
    settings: {
      number_of_shards: shards,
      auto_expand_replicas: `0-${replicas}`,
      // Every batch refreshes explicitly.
      refresh_interval: -1,
    },
    mappings: {
      dynamic: 'strict',
      properties: {
        type: { type: 'keyword' },
        key: sorted,
        terms: word,
        hosts: word,
        words: word,
        name: sorted,
        // The name of the object or of the person that it is about, for searches by names.
        called: sorted,
        // The first description of an object without a name, which filters read.
        descr: { type: 'keyword', index: false },
        space: sorted,
        // Both ends of the range as hexadecimal numbers of equal length, for order and equality, ...
        first: sorted,
        last: sorted,
        // ... the range itself, for containment: a multi-dimensional tree, which supports any ends, ...
        span: { type: 'ip_range' },
        // ... and its start, for bounded reads of the ranges that start in a part of the space.
        start: { type: 'ip', doc_values: false },
        origin: sorted,
        // Stored only, not indexed.
        object: { type: 'object', enabled: false },
        // A large text, separate from the object, so that searches do not read it.
        large: { type: 'object', enabled: false },
        position: { type: 'object', enabled: false },
      },
    },
  };
}

/** A stored document; the mapping above explains each field. */
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
