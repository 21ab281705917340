import type { ObjectTypeName } from '@cadastre/rpsl';
import type pg from 'pg';
import { typeOfCode } from './type-codes.js';

/** Where a statement runs: a pool, or a client inside a transaction. */
export type Db = Pick<pg.ClientBase, 'query'>;

/** The address of an object in the database. */
export interface ObjectId {
  readonly sourceId: number;
  readonly type: ObjectTypeName;
  /** The folded primary key. */
  readonly key: string;
}

/** A mark that an operator put on an object (decision R6). */
export interface StoredTag {
  readonly id: string;
  readonly data: string;
}

/** One state of an object: the current one, the last one of a deleted object, or a superseded one. */
export interface StoredObject extends ObjectId {
  readonly revision: number;
  /** The serial at which this state was written. */
  readonly serial: bigint;
  /** The object is gone; `text` is its last state, `revision` and `serial` those of the deletion. */
  readonly deleted: boolean;
  readonly created: Date | undefined;
  readonly modified: Date;
  readonly text: string;
  /** In the order of their identifiers. */
  readonly tags: readonly StoredTag[];
}

/** The columns that `storedObject` reads, of a row of `object` called `o`. */
export const objectColumns = `o.source_id, o.type, o.key, o.revision, o.serial, o.deleted, o.created, o.modified, o.text,
  (select jsonb_agg(jsonb_build_object('id', t.id, 'data', t.data) order by t.id) from tag t
    where t.source_id = o.source_id and t.type = o.type and t.key = o.key) as tags`;

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
