import { diffLines } from '@cadastre/rpsl';
import type { TaggedText } from '../api/objects.js';
import { attributesOf, textOfAttributes, useOf, type Written } from './draft.js';
import { asDraft } from './object-text.js';

/** Two changes of the same object: the initial attributes, and those after each change. */
export interface ThreeTexts<T> {
  readonly stored: T;
  readonly theirs: T;
  readonly yours: T;
}

/** A stretch of attributes. `by` is who changed it; undefined if both changed it differently: a conflict. */
export interface Stretch extends ThreeTexts<readonly Written[]> {
  readonly by: 'nobody' | 'you' | 'them' | 'both' | undefined;
  /** The merged attributes; in a conflict those of `stored`. */
  readonly merged: readonly Written[];
}

/** How to settle a conflict. */
export type Choice = 'theirs' | 'yours';

/** The merge of the user's change of an object with one that someone else stored meanwhile. */
export interface Merge {
  readonly theirs: TaggedText;
  readonly type: string;
  readonly stretches: readonly Stretch[];
}

/** Merges the user's text (`yours`) with a newer state of the object; undefined when one text is not an object. */
export function mergeTexts(stored: string, yours: string, theirs: TaggedText): Merge | undefined {
  const [before, now, edited] = [asDraft(stored), asDraft(theirs.text), asDraft(yours)];
  if (!before || !now || !edited) return undefined;
  const isMultiple = (name: string) => useOf(now, name)?.cardinality !== 'single';
  const texts = { stored: attributesOf(before), theirs: attributesOf(now), yours: attributesOf(edited) };
  return { theirs, type: now.type, stretches: merge(texts, isMultiple) };
}

/** The text (RPSL) of the object with merged attributes. */
export function mergedText({ type }: Merge, attributes: readonly Written[]): string {
  return textOfAttributes(type, attributes);
}

/** Whether they stored everything that you changed, for example because a response to you was lost. */
export function hasYourChanges({ stretches }: Merge): boolean {
  return stretches.every((stretch) => !isConflict(stretch) && isSame(stretch.merged, stretch.theirs));
}

/**
 * Merges two changes of an object, attribute by attribute. A stretch that only one side changed comes from that side.
 * If both changed neighbouring attributes, each name is merged on its own: values that one side did not change come
 * from the other side, and values that both added are all included if the type allows it (`isMultiple`).
 */
export function merge(
  { stored, theirs, yours }: ThreeTexts<readonly Written[]>,
  isMultiple: (name: string) => boolean,
): Stretch[] {
  const inTheirs = counterparts(stored, theirs);
  const inYours = counterparts(stored, yours);
  const stretches: Stretch[] = [];
  let [s, t, y] = [0, 0, 0];
  const advance = (toStored: number, toTheirs: number, toYours: number) => {
    const between = {
      stored: stored.slice(s, toStored),
      theirs: theirs.slice(t, toTheirs),
      yours: yours.slice(y, toYours),
    };
    stretches.push(...stretchesOf(between, isMultiple));
    [s, t, y] = [toStored + 1, toTheirs + 1, toYours + 1];
  };
  for (const [index, attribute] of stored.entries()) {
    const [their, your] = [inTheirs.get(index), inYours.get(index)];
    if (their === undefined || your === undefined) continue;
    advance(index, their, your);
    stretches.push(untouched(attribute));
  }
  advance(stored.length, theirs.length, yours.length);
  return stretches;
}

/** The position of each unchanged attribute after a change. */
function counterparts(before: readonly Written[], after: readonly Written[]): Map<number, number> {
  const places = new Map<number, number>();
  let [i, j] = [0, 0];
  for (const { kind } of diffLines(asLines(before), asLines(after))) {
    if (kind === 'same') places.set(i, j);
    if (kind !== 'added') i++;
    if (kind !== 'removed') j++;
  }
  return places;
}

function asLines(attributes: readonly Written[]): string {
  return attributes.map((attribute) => `${lineOf(attribute)}\n`).join('');
}

function lineOf({ name, value }: Written): string {
  return JSON.stringify([name, value.trim()]);
}

/** Whether two lists have the same attributes in the same order; spaces around a value do not count. */
function isSame(some: readonly Written[], others: readonly Written[]): boolean {
  return asLines(some) === asLines(others);
}

/** Whether both sides changed it differently. */
export function isConflict({ by }: Stretch): boolean {
  return by === undefined;
}

/** The attributes after a merge, with a choice for each conflict, by its index in the stretches. */
export function settled(stretches: readonly Stretch[], choices: ReadonlyMap<number, Choice>): Written[] {
  return stretches.flatMap((stretch, index) => {
    const choice = choices.get(index);
    return isConflict(stretch) && choice ? stretch[choice] : stretch.merged;
  });
}

function untouched(attribute: Written): Stretch {
  const same = [attribute];
  return { stored: same, theirs: same, yours: same, by: 'nobody', merged: same };
}

/** The stretches between two unchanged attributes. */
function stretchesOf(between: ThreeTexts<readonly Written[]>, isMultiple: (name: string) => boolean): Stretch[] {
  if (Object.values(between).every((list) => list.length === 0)) return [];
  const whole = stretchOf(between);
  if (!isConflict(whole)) return [whole];
  const all = [...between.stored, ...between.theirs, ...between.yours];
  return [...new Set(all.map(({ name }) => name))].flatMap((name) => {
    const ofName = (list: readonly Written[]) => list.filter((attribute) => attribute.name === name);
    const { stored, theirs, yours } = between;
    return valueByValue({ stored: ofName(stored), theirs: ofName(theirs), yours: ofName(yours) }, isMultiple(name));
  });
}

/** The attributes of one name: each on its own when both sides have as many as before, and moved none. */
function valueByValue(lists: ThreeTexts<readonly Written[]>, isMultiple: boolean): Stretch[] {
  const { stored, theirs, yours } = lists;
  if (stored.length === 0 && theirs.length > 0 && yours.length > 0 && isMultiple) return [allAdded(lists)];
  if (!isAligned(stored, theirs) || !isAligned(stored, yours)) return [stretchOf(lists)];
  return stored.map((_, index) =>
    stretchOf({ stored: [stored[index]!], theirs: [theirs[index]!], yours: [yours[index]!] }),
  );
}

/** Whether a change only replaced values: it has as many as before, and none at the place of another. */
function isAligned(before: readonly Written[], after: readonly Written[]): boolean {
  const lines = before.map(lineOf);
  const stayed = (item: Written, index: number) => lineOf(item) === lines[index] || !lines.includes(lineOf(item));
  return before.length === after.length && after.every(stayed);
}

function allAdded(lists: ThreeTexts<readonly Written[]>): Stretch {
  const theirs = new Set(lists.theirs.map(lineOf));
  return {
    ...lists,
    by: 'both',
    merged: [...lists.theirs, ...lists.yours.filter((item) => !theirs.has(lineOf(item)))],
  };
}

function stretchOf(lists: ThreeTexts<readonly Written[]>): Stretch {
  const { stored, theirs, yours } = lists;
  if (isSame(theirs, yours)) return { ...lists, by: isSame(stored, theirs) ? 'nobody' : 'both', merged: theirs };
  if (isSame(stored, yours)) return { ...lists, by: 'them', merged: theirs };
  if (isSame(stored, theirs)) return { ...lists, by: 'you', merged: yours };
  return { ...lists, by: undefined, merged: stored };
}
