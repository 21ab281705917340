import type { ObjectReaderServiceService, ObjectReference } from '@cadastre/proto/objects';
import { type Reference, referencesOf } from '@cadastre/rpsl';
import { type Handlers, ServiceError } from '@cadastre/service';
import type { Context } from '../context.js';
import { loadObjects } from '../store/objects.js';
import { findReferrers, type Referrer, referenceClass } from '../store/references.js';
import type { Source } from '../store/sources.js';
import type { StoredObject } from '../store/stored-object.js';
import { parseStored, shownKey } from './registry-object.js';
import { requireKey } from './requested.js';

const maxReferrers = 1000;

export function listReferences(context: Context): Handlers<typeof ObjectReaderServiceService>['listReferences'] {
  return async ({ key, limit }) => {
    const { source, id } = requireKey(context.sources, key);
    const [stored] = await loadObjects(context.readPool, [id]);
    if (stored === undefined || stored.deleted) throw new ServiceError('not-found', 'No such object');
    const most = limit === 0 ? maxReferrers : Math.min(limit, maxReferrers);
    const target = { refClass: referenceClass([id.type]), key: id.key };
    const [referrers, outgoing] = await Promise.all([
      findReferrers(context.readPool, source.id, target, most + 1),
      findTargets(context, source, stored),
    ]);
    const incoming = referrers.slice(0, most).flatMap((referrer) => incomingReferences(source, referrer));
    return { incoming, outgoing, incomplete: referrers.length > most };
  };
}

/** One entry for each attribute that names the target. */
function incomingReferences(source: Source, { stored, object, references }: Referrer): ObjectReference[] {
  const key = { source: source.name, type: stored.type, key: shownKey(object, stored) };
  const attributes = new Set(references.map((reference) => reference.attribute));
  return [...attributes].map((attribute) => ({ key, attribute }));
}

/** The objects that an object names and that exist, each once per attribute that names it. */
async function findTargets(context: Context, source: Source, stored: StoredObject): Promise<ObjectReference[]> {
  const references = distinct(referencesOf(parseStored(stored)));
  const candidates = references.flatMap((reference) =>
    reference.types.map((type) => ({ reference, id: { sourceId: source.id, type, key: reference.key } })),
  );
  const targets = await loadObjects(
    context.readPool,
    candidates.map(({ id }) => id),
  );
  return candidates.flatMap(({ reference, id }, index) => {
    const target = targets[index];
    if (target === undefined || target.deleted) return [];
    const key = shownKey(parseStored(target), target);
    return [{ key: { source: source.name, type: id.type, key }, attribute: reference.attribute }];
  });
}

function distinct(references: readonly Reference[]): Reference[] {
  return [...new Map(references.map((one) => [`${one.attribute} ${one.key}`, one])).values()];
}
