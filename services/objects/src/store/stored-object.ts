import { normalise, type ObjectTypeName, parseReadable, type RpslObject } from '@cadastre/rpsl';
import type pg from 'pg';
import { typeCodes, typeOfCode } from './codes.js';

/** Runs statements: a pool, or a client inside a transaction. */
export type Db = Pick<pg.ClientBase, 'query'>;

/** The address of an object in the database. */
export interface ObjectId {
  readonly sourceId: number;
  readonly type: ObjectTypeName;
  /** The folded primary key. */
  readonly key: string;
}

/** The values of each of these members, one array for each: parameters of `unnest`. */
export function columnsOf<Row>(rows: readonly Row[], ...names: (keyof Row)[]): unknown[][] {
  return names.map((name) => rows.map((row) => row[name]));
}

/** The same for the sources, types and keys of objects. */
export function idColumns(ids: readonly ObjectId[]): unknown[][] {
  return [...columnsOf(ids, 'sourceId'), ...keyColumns(ids)];
}

/** The same for the types and keys of objects of one source. */
export function keyColumns(ids: readonly Omit<ObjectId, 'sourceId'>[]): unknown[][] {
  return [ids.map(({ type }) => typeCodes[type]), ids.map(({ key }) => key)];
}

/** A tag that an operator put on an object (decision R6). */
export interface StoredTag {
  readonly id: string;
  readonly data: string;
}

/** One state of an object: the current one, the last one of a deleted object, or a superseded one. */
export interface StoredObject extends ObjectId {
  readonly revision: number;
  /** The serial of the write that stored this state. */
  readonly serial: bigint;
  /** A deleted object: `text` is its last state, `revision` and `serial` are those of the deletion. */
  readonly deleted: boolean;
  readonly created: Date | undefined;
  readonly modified: Date;
  readonly text: string;
  /** Ordered by identifier. */
  readonly tags: readonly StoredTag[];
}

/** Whether the operator has erased the text of a former state (`erase.ts`). */
export function isErased({ text }: Pick<StoredObject, 'text'>): boolean {
  return text === '';
}

/** Maximum size of a message to a caller: number of objects, and bytes of text, unless one object has more. */
export const pageLimits = { objects: 500, bytes: 1024 * 1024 } as const;

/** The columns for `storedObject`, of a row of `object` called `o`; the text may be another expression. */
export const objectColumnsWith = (text: string) =>
  `o.source_id, o.type, o.key, o.revision, o.serial, o.deleted, o.created, o.modified, ${text} as text, o.tags`;

export const objectColumns = objectColumnsWith('o.text');

/** A row of `objectColumns`. */
export interface ObjectRow {
  source_id: number;
  type: number;
  key: string;
  revision: number;
  serial: bigint;
  deleted: boolean;
  created: Date | null;
  modified: Date;
  text: string;
  tags: StoredTag[] | null;
}

export function storedObject(row: ObjectRow): StoredObject {
  return {
    sourceId: row.source_id,
    type: typeOfCode(row.type),
    key: row.key,
    revision: row.revision,
    serial: row.serial,
    deleted: row.deleted,
    created: row.created ?? undefined,
    modified: row.modified,
    text: row.text,
    tags: row.tags ?? [],
  };
}

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

function parsed({ type, key, text }: StoredText): RpslObject {
  const object = parseReadable(text);
  if (object === undefined) throw new Error(`stored object ${type} ${key} does not parse`);
  return object;
}
