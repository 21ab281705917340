import { type Attribute, attributeType, type Message, messages, objectType, type RpslObject } from '@cadastre/rpsl';
import type { Submission, SubmittedAttribute } from './change.js';
import { requestMessages } from './request-messages.js';

/** The submitted attributes as an object, short names replaced; or why they are not an object. */
export type SubmittedReading =
  | { readonly ok: true; readonly object: RpslObject; readonly messages: readonly Message[] }
  | { readonly ok: false; readonly messages: readonly Message[] };

export function readSubmitted(submitted: readonly SubmittedAttribute[]): SubmittedReading {
  const first = submitted[0];
  if (first === undefined) return { ok: false, messages: [requestMessages.noAttributes()] };
  const type = objectType(fullName(first.name));
  if (type === undefined) {
    return { ok: false, messages: [requestMessages.invalidType(printable(first.name.slice(0, maxShownName)))] };
  }
  const attributes = submitted.map(readAttribute);
  const shortened = attributes.some((a, index) => a.name !== printable(submitted[index]!.name).toLowerCase());
  return {
    ok: true,
    object: { type: type.name, attributes },
    messages: shortened ? [messages.shortNamesReplaced()] : [],
  };
}

function readAttribute(submitted: SubmittedAttribute): Attribute {
  const [first = '', ...rest] = submitted.value.split(/\r?\n/);
  const raw = [/^\s/.test(first) ? first : ` ${first}`, ...rest.map(continuation)].join('\n');
  return { name: fullName(submitted.name), raw };
}

/**
 * A line that continues a value starts with a space, a tab or a `+`, which is not part of the value, as in RPSL text.
 */
function continuation(line: string): string {
  if (line === '') return '+';
  return /^[ \t+]/.test(line) ? line : ` ${line}`;
}

/** Maximum length of an unknown type in a message. */
const maxShownName = 100;

/** The long name of a known attribute; an unknown one in lower case, as it can be shown. */
function fullName(name: string): string {
  return attributeType(name)?.name ?? printable(name).toLowerCase();
}

/** Replaces characters of an unknown name that are unprintable or look like a new line by `?`. */
function printable(name: string): string {
  return name.replace(/^\+|[^!-9;-~]/g, '?');
}

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
