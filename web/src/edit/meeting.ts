import type { TaggedText } from '../api/objects.js';
import { attributesOf, textOfAttributes, useOf, type Written } from './draft.js';
import { isConflict, isSame, merge, type Stretch } from './merge.js';
import { asDraft } from './object-text.js';

/** Two changes of the same stored object: one that someone else stored meanwhile, and one by the user. */
export interface Meeting {
  readonly theirs: TaggedText;
  readonly type: string;
  /** Their merge. */
  readonly stretches: readonly Stretch[];
}

/** Merges the user's text (`yours`) with a newer state of the object; undefined when one text is not an object. */
export function meetingOf(stored: string, yours: string, theirs: TaggedText): Meeting | undefined {
  const [before, now, wanted] = [asDraft(stored), asDraft(theirs.text), asDraft(yours)];
  if (!before || !now || !wanted) return undefined;
  const isMultiple = (name: string) => useOf(now, name)?.cardinality !== 'single';
  const texts = { stored: attributesOf(before), theirs: attributesOf(now), yours: attributesOf(wanted) };
  return { theirs, type: now.type, stretches: merge(texts, isMultiple) };
}

/** The text (RPSL) of the object with merged attributes. */
export function textAfter({ type }: Meeting, merged: readonly Written[]): string {
  return textOfAttributes(type, merged);
}

/** Whether they stored everything that you changed, for example because a response to you was lost. */
export function holdsYours({ stretches }: Meeting): boolean {
  return stretches.every((stretch) => !isConflict(stretch) && isSame(stretch.merged, stretch.theirs));
}
