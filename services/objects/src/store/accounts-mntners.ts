import { type Db, type ObjectRow, objectColumns, type StoredObject, storedObject } from './stored-object.js';
import { typeCodes } from './type-codes.js';

/**
 * At most `limit` mntners of all sources whose `auth: SSO` lines may name one of these accounts (by subject or name,
 * ignoring letter case), ordered by name. The caller must parse the lines.
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
