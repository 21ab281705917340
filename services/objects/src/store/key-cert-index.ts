import type { RpslObject } from '@cadastre/rpsl';
import { hash64 } from '@cadastre/service/hash64';
import { type ExportPage, objectsAfter } from './exports.js';
import { parseReadable } from './parse-stored.js';
import { indexedTexts } from './references.js';
import type { Db } from './stored-object.js';
import { typeCodes } from './type-codes.js';

/**
 * Corrects the reference index entries of stored key-certs that an older version wrote: SQL cannot compute which
 * subkeys may sign. Each row is a transaction, so the job can stop and restart. Returns the number of changed rows.
 */
export async function indexKeyCerts(
  db: Db,
  signingSubkeys: (keyCert: RpslObject) => Promise<readonly string[]>,
): Promise<number> {
  const { rows: sources } = await db.query<{ id: number }>('select id from source order by id');
  let changed = 0;
  for (const { id } of sources) {
    for (let after: string | undefined = ''; after !== undefined; ) {
      const page: ExportPage = await objectsAfter(db, id, 'key-cert', after);
      after = page.last;
      for (const { key, serial, text } of page.objects) {
        const keyCert = parseReadable(text);
        if (keyCert === undefined) continue;
        const hashes = indexedTexts(keyCert, await signingSubkeys(keyCert)).map(hash64);
        // A concurrent write indexes the key-cert itself.
        const { rowCount } = await db.query(
          `update object set refs = $5
           where source_id = $1 and type = $2 and key = $3 and serial = $4 and not deleted
             and not (refs @> $5::bigint[] and refs <@ $5::bigint[])`,
          [id, typeCodes['key-cert'], key, serial, [...new Set(hashes)]],
        );
        changed += rowCount ?? 0;
      }
    }
  }
  return changed;
}
