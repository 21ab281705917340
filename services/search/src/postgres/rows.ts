import type { Tag } from '@cadastre/proto/registry';
import type { ObjectTypeName } from '@cadastre/rpsl';
import type { IndexedObject } from '../index-port.js';

/** The columns of an object, to be selected from the document table under the name `d`. */
export const objectColumns = 'd.type, d.key, d.text, d.revision, d.serial, d.created, d.modified, d.tags';

export interface ObjectRow {
  readonly type: ObjectTypeName;
  readonly key: string;
  readonly text: string;
  readonly revision: number;
  readonly serial: bigint;
  readonly created: Date | null;
  readonly modified: Date;
  readonly tags: Tag[];
}

export function indexedObject(source: string, row: ObjectRow): IndexedObject {
  const { type, key, text, revision, serial, created, modified, tags } = row;
  return { source, type, key, text, revision, serial, ...(created ? { created } : {}), modified, tags };
}
