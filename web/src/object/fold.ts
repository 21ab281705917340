import type { ShownAttribute } from '../api/objects.js';
import { numberText } from '../design/format.js';

/** Maximum lines of one attribute that are shown unfolded; a few more need no folding. */
const maxLines = 100;
const fewMore = 20;

/** A stretch of an object. */
export interface Stretch {
  readonly attributes: readonly ShownAttribute[];
  readonly isFolded: boolean;
}

/** An object in stretches: lines after the first 100 of an attribute are folded. */
export function stretchesOf(attributes: readonly ShownAttribute[]): Stretch[] {
  const counts = new Map<string, number>();
  for (const { name } of attributes) counts.set(name, (counts.get(name) ?? 0) + 1);
  const seen = new Map<string, number>();
  const stretches: { attributes: ShownAttribute[]; isFolded: boolean }[] = [];
  for (const attribute of attributes) {
    const before = seen.get(attribute.name) ?? 0;
    seen.set(attribute.name, before + 1);
    const isFolded = before >= maxLines && counts.get(attribute.name)! > maxLines + fewMore;
    const last = stretches.at(-1);
    if (last?.isFolded === isFolded) last.attributes.push(attribute);
    else stretches.push({ attributes: [attribute], isFolded });
  }
  return stretches;
}

/** The contents of a folded stretch: `2,900 more lines of members`. */
export function foldedText({ attributes }: Stretch): string {
  const names = [...new Set(attributes.map(({ name }) => name))];
  return `${numberText(attributes.length)} more lines of ${names.join(', ')}`;
}
