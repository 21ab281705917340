import { type IndexedObject, type Loaded, maximalBytes, type ObjectId, objectIdText } from '../index-port.js';
import type { Reader } from './reader.js';
import { indexedObject, type ObjectRow, objectColumnsIf } from './rows.js';

const maximalKeys = 1000;

/** The first of these objects (`SearchIndex.load`); ids of one source must be adjacent. Runs one statement. */
export async function loadObjects(reader: Reader, ids: readonly ObjectId[]): Promise<Loaded> {
  const [first] = ids;
  if (first === undefined) return { objects: [], later: [] };
  const { source } = first;
  const end = ids.findIndex((id) => id.source !== source);
  const asked = ids.slice(0, Math.min(end === -1 ? ids.length : end, maximalKeys));
  const rows = await loadRows(reader, source, asked);
  const objects = rows.map((row) => indexedObject(source, row)).filter((object) => object !== undefined);
  const cut = rows[objects.length];
  return { objects, later: ids.slice(cut ? Number(cut.position) - 1 : asked.length) };
}

/** The existing objects, in the requested order; without texts from the first one that does not fit. */
async function loadRows(reader: Reader, source: string, ids: readonly ObjectId[]) {
  return reader.rows<ObjectRow & { position: bigint }>(source, {
    plannedOnce: true,
    text: (tables) => `
      select d.position, ${objectColumnsIf(`d.total <= ${maximalBytes} or d.total = d.size`)}
      from (
        select d.*, asked.position, sum(d.size) over (order by asked.position) as total
        from ${tables.document} d
        join unnest((select $1::text[]), (select $2::text[])) with ordinality as asked (type, key, position)
          on d.type = asked.type and d.key = asked.key
      ) d order by d.position`,
    values: [ids.map((id) => id.type), ids.map((id) => id.key)],
  });
}

/** Objects by key, any number, in the requested order, in parts. */
export async function* loadInParts(reader: Reader, ids: readonly ObjectId[]): AsyncGenerator<readonly IndexedObject[]> {
  for (let left = ids; left.length > 0; ) {
    const { objects, later } = await loadObjects(reader, left);
    if (objects.length > 0) yield objects;
    left = later;
  }
}

/** The objects of a page of rows, in order: reads missing texts in parts. */
export async function* objectsOf(
  reader: Reader,
  source: string,
  rows: readonly ObjectRow[],
): AsyncGenerator<readonly IndexedObject[]> {
  const large = rows.findIndex(({ text }) => text === null);
  const read = large === -1 ? rows : rows.slice(0, large);
  if (read.length > 0) yield read.flatMap((row) => indexedObject(source, row) ?? []);
  yield* loadInParts(
    reader,
    rows.slice(read.length).map(({ type, key }) => ({ source, type, key })),
  );
}

/** Whether these objects exist, in the requested order. */
export async function knownObjects(reader: Reader, ids: readonly ObjectId[]): Promise<boolean[]> {
  const known = new Set<string>();
  for (const [source, group] of Map.groupBy(ids, (id) => id.source)) {
    for (let at = 0; at < group.length; at += maximalKeys) {
      const asked = group.slice(at, at + maximalKeys);
      const rows = await reader.rows<Pick<ObjectId, 'type' | 'key'>>(source, {
        plannedOnce: true,
        text: (tables) => `
          select d.type, d.key from ${tables.document} d
          where (d.type, d.key) in (select * from unnest((select $1::text[]), (select $2::text[])))`,
        values: [asked.map((id) => id.type), asked.map((id) => id.key)],
      });
      for (const { type, key } of rows) known.add(objectIdText({ source, type, key }));
    }
  }
  return ids.map((id) => known.has(objectIdText(id)));
}
