import type { ObjectTypeName, Resource } from '@cadastre/rpsl';
import type pg from 'pg';
import { type ContainedRow, type ContainedScope, containedQuery, firstLevel } from './hierarchy.js';
import { pageLimits, type StoredObject, storedObject } from './stored-object.js';

/** Number of rows to fetch before their size is known. */
const firstRows = 20;

/**
 * Objects of a type inside a resource, like `findContained` but without a limit, in pages (`pageLimits`). Aborting the
 * signal cancels the running statement.
 */
export async function* containedPages(
  pool: pg.Pool,
  sourceId: number,
  type: ObjectTypeName,
  resource: Resource,
  scope: ContainedScope,
  signal: AbortSignal,
): AsyncGenerator<StoredObject[]> {
  const query = containedQuery(sourceId, type, resource);
  if (query === undefined) return;
  const wanted = scope === 'all' ? () => true : firstLevel();
  const client = await pool.connect();
  const release = releaseOnce(client);
  const giveUp = () => release(true);
  signal.addEventListener('abort', giveUp);
  let failed = true;
  try {
    await client.query('begin read only');
    await client.query(`declare contained no scroll cursor for ${query.text}`, query.values);
    for (let size = firstRows; ; ) {
      const { rows } = await client.query<ContainedRow>(`fetch ${size} from contained`);
      yield* pagesOf(rows.filter(wanted).map(storedObject));
      if (rows.length < size) break;
      size = nextSize(rows);
    }
    await client.query('commit');
    failed = false;
  } finally {
    // Close rather than repair a connection inside a transaction.
    release(failed);
    signal.removeEventListener('abort', giveUp);
  }
}

function releaseOnce(client: pg.PoolClient): (failed: boolean) => void {
  let isReleased = false;
  return (failed) => {
    if (!isReleased) client.release(failed);
    isReleased = true;
  };
}

/** The number of rows that fit into a page if they have the size of the last ones. */
function nextSize(rows: readonly ContainedRow[]): number {
  const bytes = rows.reduce((sum, { text }) => sum + text.length, 0);
  return Math.max(1, Math.min(pageLimits.objects, Math.floor((pageLimits.bytes * rows.length) / bytes)));
}

function* pagesOf(objects: readonly StoredObject[]): Generator<StoredObject[]> {
  let page: StoredObject[] = [];
  let bytes = 0;
  for (const object of objects) {
    const size = Buffer.byteLength(object.text);
    if (page.length > 0 && (bytes + size > pageLimits.bytes || page.length === pageLimits.objects)) {
      yield page;
      page = [];
      bytes = 0;
    }
    page.push(object);
    bytes += size;
  }
  if (page.length > 0) yield page;
}
