import { type ObjectTypeName, parseObject, type Reference, type RpslObject, referencesOf } from '@cadastre/rpsl';
import { pgpSubkeyIds } from '../domain/certificates/pgp-subkeys.js';
import { hash64 } from './hash64.js';
import { type Db, type ObjectRow, objectColumns, type StoredObject, storedObject } from './stored-object.js';

/** The space in which a referenced key is unique: person and role share one. */
export type ReferenceClass = 'contact' | ObjectTypeName;

/** The space of keys that a reference to one of these types means. */
export function referenceClass(types: readonly ObjectTypeName[]): ReferenceClass {
  const [type] = types;
  if (type === undefined) throw new Error('a reference must name a type');
  return type === 'person' || type === 'role' ? 'contact' : type;
}

/** What the index of references (object.refs) holds for a reference to that key; stable for ever. */
function referenceHash(refClass: ReferenceClass, foldedKey: string): bigint {
  return hash64(`${refClass}:${foldedKey}`);
}

/** References that are checked when they are written, but do not keep their target from being deleted. */
const unindexedAttributes: ReadonlySet<string> = new Set(['encryption', 'signature']);

/** The references by which an object is found from their targets. */
function indexedReferences(object: RpslObject): Reference[] {
  return referencesOf(object).filter((reference) => !unindexedAttributes.has(reference.attribute));
}

/** What the index of references hashes for an object: `class:key`, and of a key-cert `pgp-subkey:id`. */
export function indexedTexts(object: RpslObject): string[] {
  const references = indexedReferences(object).map((one) => `${referenceClass(one.types)}:${one.key}`);
  return object.type === 'key-cert' ? [...references, ...pgpSubkeyIds(object).map(subkeyText)] : references;
}

function subkeyText(id: string): string {
  return `pgp-subkey:${id}`;
}

/** The key-certs with one of these subkeys, oldest first. */
export async function findBySubkey(
  db: Db,
  sourceId: number,
  ids: readonly string[],
  limit: number,
): Promise<StoredObject[]> {
  const { rows } = await db.query<ObjectRow>({
    name: 'find-by-subkey',
    text: `with o as materialized (
             select * from object where source_id = $1 and refs && $2::bigint[] and not deleted
           ) select ${objectColumns} from o order by created, key limit $3`,
    values: [sourceId, ids.map((id) => hash64(subkeyText(id))), limit],
  });
  return rows.map(storedObject).filter(({ text }) => {
    const parsed = parseObject(text);
    return parsed.ok && pgpSubkeyIds(parsed.object).some((id) => ids.includes(id));
  });
}

/** An object that refers to another. */
export interface Referrer {
  readonly stored: StoredObject;
  readonly object: RpslObject;
  /** Its references to the target. */
  readonly references: readonly Reference[];
}

/** At most `limit` objects that refer to a key; the object that bears the key is not among them. */
export async function findReferrers(
  db: Db,
  sourceId: number,
  target: { readonly refClass: ReferenceClass; readonly key: string },
  limit: number,
): Promise<Referrer[]> {
  // One candidate more, because the object itself may be among them; hashes that collide ask for still more.
  for (let candidates = limit + 1; ; candidates *= 4) {
    const { rows } = await db.query<ObjectRow>({
      name: 'find-referrers',
      // Planned as if all candidates were wanted: for the sake of the limit alone, the planner would walk through
      // the whole source. They are still fetched only as far as the limit goes.
      text: `with o as materialized (
               select * from object where source_id = $1 and refs @> array[$2::bigint] and not deleted
             ) select ${objectColumns} from o limit $3`,
      values: [sourceId, referenceHash(target.refClass, target.key), candidates],
    });
    const referrers = rows.map((row) => asReferrer(storedObject(row), target)).filter((one) => one !== undefined);
    if (referrers.length >= limit || rows.length < candidates) return referrers.slice(0, limit);
  }
}

/** The texts decide: two keys may have one hash. */
function asReferrer(stored: StoredObject, target: { refClass: ReferenceClass; key: string }): Referrer | undefined {
  const itself = referenceClass([stored.type]) === target.refClass && stored.key === target.key;
  const parsed = parseObject(stored.text);
  if (itself || !parsed.ok) return undefined;
  const references = indexedReferences(parsed.object).filter(
    (reference) => reference.key === target.key && referenceClass(reference.types) === target.refClass,
  );
  return references.length > 0 ? { stored, object: parsed.object, references } : undefined;
}
