import type { ObjectReaderServiceService, ObjectReference } from '@cadastre/proto/objects';
import { referencesOf, shownKey } from '@cadastre/rpsl';
import { type Call, duringCall, type Handlers, ServiceError } from '@cadastre/service';
import type { Context } from '../context.js';
import { loadInParts, loadObjects } from '../store/objects.js';
import { type Referrer, referenceClass, referrersOf } from '../store/references.js';
import type { Source } from '../store/sources.js';
import { type Db, parseStored, type StoredObject } from '../store/stored-object.js';
import { unlessUnreadable } from './registry-object.js';
import { requireKey } from './requested.js';

const maxReferrers = 1000;

export function listReferences(context: Context): Handlers<typeof ObjectReaderServiceService>['listReferences'] {
  return async ({ key, limit }, call) => {
    const db = duringCall(context.readPool, call);
    const { source, id } = requireKey(context.sources, key);
    const [stored] = await loadObjects(db, [id]);
    if (stored === undefined || stored.deleted) throw new ServiceError('not-found', 'No such object');
    const max = limit === 0 ? maxReferrers : Math.min(limit, maxReferrers);
    const target = { refClass: referenceClass([id.type]), key: id.key };
    const [{ incoming, incomplete }, outgoing] = await Promise.all([
      findIncoming(db, source, target, max),
      findTargets(context, db, source, stored, call),
    ]);
    return { incoming, outgoing, incomplete };
  };
}

/** Returns at most this many objects, without texts. */
async function findIncoming(
  db: Db,
  source: Source,
  target: Parameters<typeof referrersOf>[2],
  max: number,
): Promise<{ incoming: ObjectReference[]; incomplete: boolean }> {
  const incoming: ObjectReference[] = [];
  let referrers = 0;
  for await (const referrer of referrersOf(db, source.id, target, max + 1)) {
    if (++referrers > max) return { incoming, incomplete: true };
    incoming.push(...incomingReferences(source, referrer));
  }
  return { incoming, incomplete: false };
}

/** One entry for each attribute that names the target. */
function incomingReferences(source: Source, { stored, object, references }: Referrer): ObjectReference[] {
  const key = { source: source.name, type: stored.type, key: detached(shownKey(object, stored.key)) };
  const attributes = new Set(references.map((reference) => reference.attribute));
  return [...attributes].map((attribute) => ({ key, attribute: detached(attribute) }));
}

/** Copies a part of a text, because a slice would hold the whole text in memory. */
function detached(part: string): string {
  return Buffer.from(part).toString();
}

/** The existing objects that an object names, once per attribute that names them. */
async function findTargets(
  context: Context,
  db: Db,
  source: Source,
  stored: StoredObject,
  call: Call,
): Promise<ObjectReference[]> {
  const references = [
    ...new Map(referencesOf(parseStored(stored)).map((one) => [`${one.attribute} ${one.key}`, one])).values(),
  ];
  const candidates = references.flatMap((reference) =>
    reference.types.map((type) => ({ reference, id: { sourceId: source.id, type, key: reference.key } })),
  );
  const nameOf = ({ type, key }: Pick<StoredObject, 'type' | 'key'>) => `${type} ${key}`;
  const ids = [...new Map(candidates.map(({ id }) => [nameOf(id), id])).values()];
  const shown = new Map<string, string>();
  for await (const target of loadInParts(db, ids)) {
    if (target.deleted) continue;
    const key = unlessUnreadable(context, source, target, call, () => shownKey(parseStored(target), target.key));
    if (key !== undefined) shown.set(nameOf(target), detached(key));
  }
  return candidates.flatMap(({ reference, id }) => {
    const key = shown.get(nameOf(id));
    return key === undefined
      ? []
      : [{ key: { source: source.name, type: id.type, key }, attribute: reference.attribute }];
  });
}
