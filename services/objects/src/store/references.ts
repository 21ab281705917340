import {
  type ObjectTypeName,
  parseObject,
  parseReadable,
  type Reference,
  type RpslObject,
  referencesOf,
} from '@cadastre/rpsl';
import { hash64 } from '@cadastre/service/hash64';
import { isMaterial, materialOf } from '../domain/certificates/material.js';
import { x509Fingerprint } from '../domain/certificates/x509.js';
import { typeCodes, typeOfCode } from './codes.js';
import { type ExportPage, objectsAfter } from './exports.js';
import { loadInParts } from './objects.js';
import {
  type Db,
  type ObjectId,
  type ObjectRow,
  objectColumns,
  type StoredObject,
  storedObject,
} from './stored-object.js';

/** The space in which a referenced key is unique: person and role share one. */
type ReferenceClass = 'contact' | ObjectTypeName;

/** The key space of a reference to one of these types. */
export function referenceClass(types: readonly ObjectTypeName[]): ReferenceClass {
  const [type] = types;
  if (type === undefined) throw new Error('a reference must name a type');
  return type === 'person' || type === 'role' ? 'contact' : type;
}

/** The hash of a reference in the index of references; must never change. */
export function referenceHash(refClass: ReferenceClass, foldedKey: string): bigint {
  return hash64(`${refClass}:${foldedKey}`);
}

/** References that are checked on writes but do not prevent the deletion of their target. */
const unindexedAttributes: ReadonlySet<string> = new Set(['encryption', 'signature']);

/** The references that are indexed by target. */
function indexedReferences(object: RpslObject): Reference[] {
  return referencesOf(object).filter((reference) => !unindexedAttributes.has(reference.attribute));
}

/**
 * The texts that the index of references hashes for an object: `class:key`; for a key-cert also `pgp-subkey:id` for
 * each subkey that may sign, or `certificate:fingerprint`.
 */
export function indexedTexts(object: RpslObject, signingSubkeys: readonly string[]): string[] {
  const references = indexedReferences(object).map((one) => `${referenceClass(one.types)}:${one.key}`);
  const certificate = keyTexts(object).filter((text) => text.startsWith(certificateClass));
  return [...references, ...signingSubkeys.map(subkeyText), ...certificate];
}

const certificateClass = 'certificate:';

/** The text that the index of references hashes for a subkey. */
export function subkeyText(id: string): string {
  return `pgp-subkey:${id}`;
}

/** The same for a certificate, by the SHA-256 fingerprint of its DER form. */
export function certificateText(fingerprint: string): string {
  return `${certificateClass}${fingerprint}`;
}

/** All texts that may find a key-cert, without checking whether its subkeys may sign. */
function keyTexts(object: RpslObject): string[] {
  const material = object.type === 'key-cert' ? materialOf(object) : 'no-key';
  if (!isMaterial(material)) return [];
  if (material.kind === 'pgp') return material.outline.keyIds.map(subkeyText);
  const fingerprint = x509Fingerprint(material.octets);
  return fingerprint === undefined ? [] : [certificateText(fingerprint)];
}

/** Unlike signatures, hashes can collide on purpose: up to this many collisions do not hide the right key-cert. */
const maxCandidates = 1_000;

/** The key-certs that the index lists for one of these texts, oldest first. */
export async function findKeyCertsBy(
  db: Db,
  sourceId: number,
  texts: readonly string[],
  limit: number,
): Promise<StoredObject[]> {
  const { rows } = await db.query<ObjectRow>({
    name: 'find-key-certs',
    text: `with o as materialized (
             select * from object where source_id = $1 and refs && $2::bigint[] and type = $3 and not deleted
           ) select ${objectColumns} from o order by created, key limit $4`,
    values: [sourceId, texts.map(hash64), typeCodes['key-cert'], maxCandidates],
  });
  const found = rows.map(storedObject).filter(({ text }) => {
    const parsed = parseObject(text);
    return parsed.ok && keyTexts(parsed.object).some((one) => texts.includes(one));
  });
  return found.slice(0, limit);
}

/** An object that refers to another. */
export interface Referrer {
  readonly stored: StoredObject;
  readonly object: RpslObject;
  /** Its references to the target. */
  readonly references: readonly Reference[];
}

/** At most `limit` objects that refer to a key and are needed, except the object with the key itself. */
export async function findReferrers(
  db: Db,
  sourceId: number,
  target: { readonly refClass: ReferenceClass; readonly key: string },
  { limit, isNeeded = () => true }: { readonly limit: number; isNeeded?(referrer: Referrer): boolean },
): Promise<Referrer[]> {
  const referrers: Referrer[] = [];
  for await (const referrer of referrersOf(db, sourceId, target, limit)) {
    if (!isNeeded(referrer)) continue;
    referrers.push(referrer);
    if (referrers.length === limit) break;
  }
  return referrers;
}

/**
 * The objects that refer to a key, in no particular order. Reads about `wanted` keys first, then their texts, of which
 * it holds only 1 MiB or one object at a time.
 */
export async function* referrersOf(
  db: Db,
  sourceId: number,
  target: { readonly refClass: ReferenceClass; readonly key: string },
  wanted: number,
): AsyncGenerator<Referrer> {
  const seen = new Set<string>();
  // One more candidate, because the object itself may be among them; hash collisions need even more.
  for (let candidates = wanted + 1; ; candidates *= 4) {
    const ids = await findCandidates(db, sourceId, referenceHash(target.refClass, target.key), candidates);
    const unseen = ids.filter(({ type, key }) => !seen.has(`${type} ${key}`));
    for (const { type, key } of unseen) seen.add(`${type} ${key}`);
    for await (const stored of loadInParts(db, unseen)) {
      const referrer = stored.deleted ? undefined : asReferrer(stored, target);
      if (referrer) yield referrer;
    }
    if (ids.length < candidates) return;
  }
}

/** The objects that the index of references lists for a hash. */
async function findCandidates(db: Db, sourceId: number, hash: bigint, limit: number): Promise<ObjectId[]> {
  const { rows } = await db.query<{ type: number; key: string }>({
    name: 'find-referrers',
    // Planned as if all candidates were needed: otherwise the limit makes the planner scan the whole source. The fetch
    // still stops at the limit.
    text: `with o as materialized (
             select type, key from object where source_id = $1 and refs @> array[$2::bigint] and not deleted
           ) select type, key from o limit $3`,
    values: [sourceId, hash, limit],
  });
  return rows.map(({ type, key }) => ({ sourceId, type: typeOfCode(type), key }));
}

/** Compares texts, because two keys may have the same hash. */
function asReferrer(stored: StoredObject, target: { refClass: ReferenceClass; key: string }): Referrer | undefined {
  const itself = referenceClass([stored.type]) === target.refClass && stored.key === target.key;
  const parsed = parseObject(stored.text);
  if (itself || !parsed.ok) return undefined;
  const references = indexedReferences(parsed.object).filter(
    (reference) => reference.key === target.key && referenceClass(reference.types) === target.refClass,
  );
  return references.length > 0 ? { stored, object: parsed.object, references } : undefined;
}

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
