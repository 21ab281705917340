import { attributeType, type Message, messages, type RpslObject } from '@cadastre/rpsl';
import type { Submission, SubmittedAttribute } from './submission.js';

/**
 * Maximum number of values in all objects of one write: attributes, further lines of a value, and further elements of a
 * list. The largest published sets have tens of thousands of members, on one line, on a line each or in an attribute
 * each. Checking this many takes at most a fifth of a second. Bulk loads have no such limit.
 */
const maxValues = 50_000;

/** Maximum number of characters in all objects of one write, including names: 20 for each value. */
const maxCharacters = 1_000_000;

/** A refusal does not return a larger object. */
const maxShownValues = 2000;
const maxShownCharacters = 100_000;

/** The error when a write is too large; runs before anything is parsed. */
export function sizeError(submissions: readonly Submission[]): Message | undefined {
  const { values, characters } = sizeOf(submissions.flatMap((submission) => [...submission.attributes]));
  if (characters > maxCharacters) return messages.objectTooLarge(characters, maxCharacters);
  return values > maxValues ? messages.tooManyValues(values, maxValues) : undefined;
}

/** Whether a refusal returns this submitted object. */
export function isShown(object: RpslObject): boolean {
  const { values, characters } = sizeOf(object.attributes.map(({ name, raw }) => ({ name, value: raw })));
  return values <= maxShownValues && characters <= maxShownCharacters;
}

/** Number of values that name other objects, counted without parsing. */
export function countReferences(attributes: readonly SubmittedAttribute[]): number {
  const referring = attributes.filter(({ name }) => (attributeType(name)?.references.length ?? 0) > 0);
  return sizeOf(referring).values;
}

function sizeOf(attributes: readonly SubmittedAttribute[]): { values: number; characters: number } {
  let values = 0;
  let characters = 0;
  for (const { name, value } of attributes) {
    values += 1 + count(value, '\n') + (attributeType(name)?.list === true ? count(value, ',') : 0);
    characters += name.length + value.length;
  }
  return { values, characters };
}

function count(text: string, mark: string): number {
  let found = 0;
  for (let at = text.indexOf(mark); at >= 0; at = text.indexOf(mark, at + 1)) found++;
  return found;
}
