import { contains, type ObjectTypeName, overlaps, primaryKey, type RpslObject, referencesOf } from '@cadastre/rpsl';
import type { KeyFingerprints } from './authenticate.js';
import type { Change } from './change.js';
import type { EmailMarks } from './email-marks.js';
import { governingAfter } from './governing.js';
import { type KnownObjects, objectName } from './known-objects.js';
import { bySize, byStart, numbers } from './numbers.js';

/** Objects of the same type that share a part of the number space with an object, without the object itself. */
export interface Neighbours {
  /** Smallest first. */
  readonly enclosing: readonly RpslObject[];
  /** Lowest first, as are those that overlap in part. */
  readonly contained: readonly RpslObject[];
  readonly overlapping: readonly RpslObject[];
}

export const noNeighbours: Neighbours = { enclosing: [], contained: [], overlapping: [] };

/** Everything outside of a change that rules and authorisation look at. It holds until the transaction ends. */
export interface Facts {
  /** Name of the source that is written to, upper case. */
  readonly source: string;
  /** What named objects are before the write: whose `auth` counts. */
  readonly before: KnownObjects;
  /** What they are when the whole write is done: what references may name. */
  readonly after: KnownObjects;
  /** The keys behind the stored key-certs that candidates for authorisation name; empty when the caller holds none. */
  readonly keys: KeyFingerprints;
  /** Those of the key-certs that this write makes: they prove only what it makes, too. */
  readonly newKeys: KeyFingerprints;
  /** Of the addresses that the change and what it has to do with hold. */
  readonly emailMarks: EmailMarks;
  /** Objects whose maintainers decide on a new object where it stands in the number space, smallest first. */
  readonly governing: readonly RpslObject[];
  /** Other objects that refer to this one when the whole write is done. */
  readonly referrers: readonly RpslObject[];
  readonly neighbours: Neighbours;
}

/** What was loaded for one change. */
export interface Surroundings {
  readonly referrers: readonly RpslObject[];
  readonly neighbours: Neighbours;
  /** Those that are stored. */
  readonly governing: readonly RpslObject[];
}

/** What was loaded for a whole write. */
export type CommonFacts = Pick<Facts, 'source' | 'before' | 'keys' | 'newKeys' | 'emailMarks'>;

/** The facts of each change of a write: what was loaded, with the effects of the other changes put in. */
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
      neighbours: neighboursAfter(change, surroundings[index]!.neighbours, others),
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
  const kept = untouched(referrers, others);
  const written = others.filter((other) => other.action !== 'delete').map((other) => other.object);
  return [...kept, ...written.filter((object) => refersTo(object, change.object.type, change.key.folded))];
}

/** Whether an object refers to the one of that type and folded key. */
function refersTo(object: RpslObject, type: ObjectTypeName, key: string): boolean {
  return referencesOf(object).some((reference) => reference.key === key && reference.types.includes(type));
}

function neighboursAfter(change: Change, loaded: Neighbours, others: readonly Change[]): Neighbours {
  const written = others
    .filter((other) => other.action !== 'delete' && other.object.type === change.object.type)
    .map((other) => other.object);
  const added = relate(change.object, written);
  const all = (relation: keyof Neighbours) => [...added[relation], ...untouched(loaded[relation], others)];
  return {
    enclosing: all('enclosing').sort(bySize),
    contained: all('contained').sort(byStart),
    overlapping: all('overlapping').sort(byStart),
  };
}

type Numbers = NonNullable<ReturnType<typeof numbers>>;

/** Sorts objects by how their ranges stand to that of one object; those that share nothing are left out. */
function relate(object: RpslObject, others: readonly RpslObject[]): Neighbours {
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
