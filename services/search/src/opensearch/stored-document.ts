import type { Tag } from '@cadastre/proto/registry';
import type { ObjectTypeName } from '@cadastre/rpsl';
import type { IndexDocument, IndexedObject } from '../index-port.js';
import { asAddress, digits } from './numbers.js';

/** A document as it is stored; mapping.ts says what each field is for. */
export interface StoredDocument {
  readonly type: ObjectTypeName;
  readonly key: string;
  readonly terms: readonly string[];
  readonly hosts: readonly string[];
  readonly space?: string;
  readonly first?: string;
  readonly last?: string;
  readonly span?: { readonly gte: string; readonly lte: string };
  readonly start?: string;
  readonly origin: string;
  readonly object: {
    readonly text: string;
    readonly revision: number;
    /** Decimal: JSON numbers are not wide enough. */
    readonly serial: string;
    readonly created?: string;
    readonly modified: string;
    readonly tags: readonly Tag[];
  };
}

export function toStored(document: IndexDocument): StoredDocument {
  const { type, key, terms, hosts, range, origin = '', text, revision, serial, created, modified, tags } = document;
  return {
    type,
    key,
    terms,
    hosts,
    ...(range && {
      space: range.space,
      first: digits(range.first),
      last: digits(range.last),
      span: { gte: asAddress(range.first), lte: asAddress(range.last) },
      start: asAddress(range.first),
    }),
    origin,
    object: {
      text,
      revision,
      serial: serial.toString(),
      ...(created && { created: created.toISOString() }),
      modified: modified.toISOString(),
      tags,
    },
  };
}

export function toIndexed(source: string, { type, key, object }: StoredDocument): IndexedObject {
  const { text, revision, serial, created, modified, tags } = object;
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
