import type { ObjectTypeName, Resource } from '@cadastre/rpsl';
import type pg from 'pg';
import { firstLevel } from './first-level.js';
import { type ContainedRow, type ContainedScope, containedQuery } from './hierarchy.js';
import { type StoredObject, storedObject } from './stored-object.js';

/** Objects of a type inside a resource as `findContained`, in pages and however many they are. */
export async function* containedPages(
  pool: pg.Pool,
  sourceId: number,
  type: ObjectTypeName,
  resource: Resource,
  scope: ContainedScope,
  pageSize: number,
): AsyncGenerator<StoredObject[]> {
  const query = containedQuery(sourceId, type, resource);
  if (query === undefined) return;
  const wanted = scope === 'all' ? () => true : firstLevel();
  const client = await pool.connect();
  let failed = true;
  try {
    await client.query('begin read only');
    await client.query(`declare contained no scroll cursor for ${query.text}`, query.values);
    for (;;) {
      const { rows } = await client.query<ContainedRow>(`fetch ${pageSize} from contained`);
      const page = rows.filter(wanted).map(storedObject);
      if (page.length > 0) yield page;
      if (rows.length < pageSize) break;
    }
    await client.query('commit');
    failed = false;
  } finally {
    // A connection in the middle of a transaction is not worth saving.
    client.release(failed);
  }
}
