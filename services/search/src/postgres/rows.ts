import type { Tag } from '@cadastre/proto/registry';
import type { ObjectTypeName } from '@cadastre/rpsl';
import { type IndexedObject, smallText } from '../index-port.js';
import { unpackText } from '../packed-text.js';

/** The columns of an object, from the document table `d`; the text is null unless the condition holds. */
export const objectColumnsIf = (condition: string) =>
  `d.type, d.key, case when ${condition} then d.text end as text, d.revision, d.serial, d.created, d.modified, d.tags`;

/** With small texts only. */
export const objectColumns = objectColumnsIf(`d.size <= ${smallText}`);

export interface ObjectRow {
  readonly type: ObjectTypeName;
  readonly key: string;
  /** Packed; null if it was not read. */
  readonly text: string | null;
  readonly revision: number;
  readonly serial: bigint;
  readonly created: Date | null;
  readonly modified: Date;
  readonly tags: Tag[] | null;
}

/** Undefined if the text was not read. */
export function indexedObject(source: string, row: ObjectRow): IndexedObject | undefined {
  const { type, key, text, revision, serial, created, modified, tags } = row;
  if (text === null) return undefined;
  const beside = { source, key, ...(created ? { created } : {}), modified };
  return { ...beside, type, text: unpackText(text, beside), revision, serial, tags: tags ?? [] };
}
