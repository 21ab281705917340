import { type Db, type ObjectRow, objectColumns, type StoredObject, storedObject } from './stored-object.js';
import { typeCodes } from './type-codes.js';

/**
 * At most `limit` mntners of all sources whose `auth: SSO` lines seem to name one of these accounts (by subject or name,
 * letter case ignored), in the order of their names. What the lines say exactly is for the caller to read.
 */
export async function findMntnersOf(db: Db, accounts: readonly string[], limit: number): Promise<StoredObject[]> {
  const { rows } = await db.query<ObjectRow>({
    name: 'find-mntners-of-account',
    text: `select ${objectColumns} from object o
           where o.type = ${typeCodes.mntner} and not o.deleted and sso_accounts(o.text) && $1::text[]
           order by o.key, o.source_id limit $2`,
    values: [accounts.map((account) => account.toLowerCase()), limit],
  });
  return rows.map(storedObject);
}
