import { contains, type ObjectTypeName, overlaps, primaryKey, type RpslObject, referencesOf } from '@cadastre/rpsl';
import type { KeyFingerprints } from './authenticate.js';
import type { Change } from './change.js';
import { governingAfter } from './governing.js';
import { type KnownObjects, objectName } from './known-objects.js';
import type { EmailMarks } from './mail-address.js';
import { bySize, byStart, numbers } from './numbers.js';

/** Other objects of the same type whose numbers overlap with those of an object. */
export interface RelatedRanges {
  /** Smallest first. */
  readonly enclosing: readonly RpslObject[];
  /** Lowest first, as `overlapping`. */
  readonly contained: readonly RpslObject[];
  readonly overlapping: readonly RpslObject[];
}

export const noRelatedRanges: RelatedRanges = { enclosing: [], contained: [], overlapping: [] };

/** All data besides the change that rules and strategies use. They are consistent, or the write is decided again. */
export interface Facts {
  /** Name of the source, upper case. */
  readonly source: string;
  /** The loaded objects before the write. Their `auth` counts. */
  readonly before: KnownObjects;
  /** The same objects after the whole write. References may name these. */
  readonly after: KnownObjects;
  /** Keys of the stored key-certs that candidates for authorisation name; empty when the caller holds no keys. */
  readonly keys: KeyFingerprints;
  /** Keys of the key-certs that this write creates. They prove only mntners that it creates, too. */
  readonly newKeys: KeyFingerprints;
  /** Marks of the e-mail addresses that `ruledEmails` names. */
  readonly emailMarks: EmailMarks;
  /** Objects around a new object whose maintainers decide on it, smallest first. */
  readonly governing: readonly RpslObject[];
  /** Other objects that refer to this one after the whole write. */
  readonly referrers: readonly RpslObject[];
  readonly relatedRanges: RelatedRanges;
}

/** The part of the loaded facts that belongs to one change. */
export interface Surroundings {
  readonly referrers: readonly RpslObject[];
  readonly relatedRanges: RelatedRanges;
  /** The stored ones. */
  readonly governing: readonly RpslObject[];
}

/** The loaded facts that all changes of a write share. */
export type CommonFacts = Pick<Facts, 'source' | 'before' | 'keys' | 'newKeys' | 'emailMarks'>;

/** The facts of each change of a write: the loaded ones plus the effects of the other changes. */
export function factsOf(
  common: CommonFacts,
  changes: readonly Change[],
  surroundings: readonly Surroundings[],
): Facts[] {
  const after = knownAfter(common.before, changes);
  return changes.map((change, index) => {
    const others = changes.filter((other) => other !== change);
    return {
      ...common,
      after,
      governing: governingAfter(change, surroundings[index]!.governing, others),
      referrers: referrersAfter(change, surroundings[index]!.referrers, others),
      relatedRanges: relatedRangesAfter(change, surroundings[index]!.relatedRanges, others),
    };
  });
}

function knownAfter(before: KnownObjects, changes: readonly Change[]): KnownObjects {
  const after = new Map(before);
  for (const change of changes) {
    const name = objectName(change.object.type, change.key.folded);
    if (change.action === 'delete') {
      after.delete(name);
    } else {
      after.set(name, change.object);
    }
  }
  return after;
}

function referrersAfter(
  change: Change,
  referrers: readonly RpslObject[],
  others: readonly Change[],
): readonly RpslObject[] {
  const remaining = untouched(referrers, others);
  const written = others.filter((other) => other.action !== 'delete').map((other) => other.object);
  return [...remaining, ...written.filter((object) => refersTo(object, change.object.type, change.key.folded))];
}

/** Whether an object refers to the one of that type and folded key. */
export function refersTo(object: RpslObject, type: ObjectTypeName, key: string): boolean {
  return referencesOf(object).some((reference) => reference.key === key && reference.types.includes(type));
}

function relatedRangesAfter(change: Change, loaded: RelatedRanges, others: readonly Change[]): RelatedRanges {
  const written = others
    .filter((other) => other.action !== 'delete' && other.object.type === change.object.type)
    .map((other) => other.object);
  const added = relate(change.object, written);
  const all = (relation: keyof RelatedRanges) => [...added[relation], ...untouched(loaded[relation], others)];
  return {
    enclosing: all('enclosing').sort(bySize),
    contained: all('contained').sort(byStart),
    overlapping: all('overlapping').sort(byStart),
  };
}

type Numbers = NonNullable<ReturnType<typeof numbers>>;

/** Sorts objects by the relation of their ranges to that of one object, without disjoint ones. */
function relate(object: RpslObject, others: readonly RpslObject[]): RelatedRanges {
  const range = numbers(object);
  const ranges = others.map((other) => ({ other, theirs: numbers(other) }));
  const pick = (fits: (theirs: Numbers, ours: Numbers) => boolean) =>
    ranges.flatMap(({ other, theirs }) => (range && theirs && fits(theirs, range) ? [other] : []));
  return {
    enclosing: pick((theirs, ours) => contains(theirs, ours)),
    contained: pick((theirs, ours) => contains(ours, theirs) && !contains(theirs, ours)),
    overlapping: pick((theirs, ours) => overlaps(theirs, ours) && !contains(theirs, ours) && !contains(ours, theirs)),
  };
}

/** The objects that no other change of the write replaces or deletes. */
function untouched(objects: readonly RpslObject[], others: readonly Change[]): RpslObject[] {
  const changed = new Set(others.map((other) => objectName(other.object.type, other.key.folded)));
  return objects.filter((object) => {
    const key = primaryKey(object);
    return !('folded' in key) || !changed.has(objectName(object.type, key.folded));
  });
}
