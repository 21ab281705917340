import type { ObjectTypeName } from '@cadastre/rpsl';
import type pg from 'pg';
import { typeOfCode } from './codes.js';

/** Runs statements: a pool, or a client inside a transaction. */
export type Db = Pick<pg.ClientBase, 'query'>;

/** The address of an object in the database. */
export interface ObjectId {
  readonly sourceId: number;
  readonly type: ObjectTypeName;
  /** The folded primary key. */
  readonly key: string;
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
