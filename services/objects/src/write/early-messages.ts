import { type Message, primaryKey, type RpslObject, sortMessages } from '@cadastre/rpsl';
import type { Preparation } from '../domain/change.js';
import { type Facts, noRelatedRanges } from '../domain/facts.js';
import { type KnownObjects, objectName } from '../domain/known-objects.js';
import type { Policy } from '../domain/policy.js';
import { earlyMessages } from '../domain/rules/index.js';
import type { Source } from '../store/sources.js';
import type { Db } from '../store/stored-object.js';
import { targets } from './load-facts.js';
import { loadMore, nothingLoaded } from './load-objects.js';
import { loadingAlone } from './loading.js';

/**
 * Adds to refusals for syntax what else is wrong in the other attributes: what they name does not exist, or the registry
 * does not know a code. Says nothing about authority.
 */
export async function withEarlyMessages(
  db: Db,
  source: Source,
  preparations: readonly Preparation[],
  policy: Policy,
): Promise<readonly Preparation[]> {
  const readable = preparations.flatMap((one) => (one.ok ? [] : (one.refused.readable ?? [])));
  if (readable.length === 0) return preparations;
  const { objects } = await loadMore(loadingAlone(db), source.id, nothingLoaded, readable.flatMap(targets));
  const after = new Map([...objects, ...preparations.flatMap(writtenBy)]);
  return preparations.map((one): Preparation => {
    if (one.ok || one.refused.readable === undefined) return one;
    const { readable: object, messages: said } = one.refused;
    const messages = sortMessages([...said, ...messagesAbout(object, said, source, after, policy)]);
    return { ok: false, refused: { ...one.refused, messages } };
  });
}

/** The object that a change would store, by its name. */
function writtenBy(preparation: Preparation): [name: string, object: RpslObject][] {
  const object = preparation.ok
    ? preparation.prepared.verb !== 'delete' && preparation.prepared.object
    : preparation.refused.readable;
  if (!object) return [];
  const key = primaryKey(object);
  return 'folded' in key ? [[objectName(object.type, key.folded), object]] : [];
}

function messagesAbout(
  object: RpslObject,
  said: readonly Message[],
  source: Source,
  after: KnownObjects,
  policy: Policy,
): Message[] {
  const wrong = new Set(said.map(({ attributeIndex }) => attributeIndex));
  // In their places, so that the other attributes keep theirs.
  const attributes = object.attributes.map((one, at) => (wrong.has(at) ? { name: 'remarks', raw: '' } : one));
  const facts: Facts = {
    source: source.name,
    ...{ before: after, after, keys: new Map(), newKeys: new Map(), emailMarks: new Map() },
    ...{ governing: [], referrers: [], relatedRanges: noRelatedRanges },
  };
  const rest = { ...object, attributes };
  const key = primaryKey(object);
  const change = {
    action: 'create',
    key: 'folded' in key ? key : { shown: '', folded: '' },
    object: rest,
    stored: undefined,
  } as const;
  return earlyMessages(change, facts, policy);
}
