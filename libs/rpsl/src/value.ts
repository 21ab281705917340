import { type Attribute, allOf, firstOf, type RpslObject } from './object.js';
import { attributeType } from './types.js';
import { isWhitespace } from './whitespace.js';

const carriageReturn = 13;
const space = 32;
const hash = 35;
const plus = 43;

/** The value without comments, trimmed, whitespace runs collapsed to one space. */
export function cleanValue(a: Attribute): string {
  return plainValue(a.raw) ?? collapse(partition(a).value);
}

/**
 * The comments of all lines, joined by one space, without any `#` and whitespace collapsed; absent when empty. For
 * readers: `replaceValue` keeps comments as written.
 */
export function cleanComment(a: Attribute): string | undefined {
  return a.raw.includes('#') ? collapse(partition(a).comment.replaceAll('#', '')) || undefined : undefined;
}

/** The attribute with another value, on one line, and its comment, if not empty. */
export function replaceValue(a: Attribute, value: string): Attribute {
  const comment = cleanComment(a) === undefined ? '' : ` ${collapse(`#${partition(a).comment}`)}`;
  return { name: a.name, raw: ` ${value}${comment}` };
}

/** The values of the attribute: list attributes split at commas without duplicates, else the one clean value. */
export function listValues(a: Attribute): string[] {
  const value = cleanValue(a);
  if (!value.includes(',') || attributeType(a.name)?.list !== true) return [value];
  const byFolded = new Map<string, string>();
  for (const part of value.split(',')) {
    const element = trimSpaces(part);
    const folded = element.toLowerCase();
    if (!byFolded.has(folded)) byFolded.set(folded, element);
  }
  return [...byFolded.values()];
}

/** Equal name, values and comments, ignoring letter case and layout. Unknown attributes compare by name only. */
export function sameAttribute(a: Attribute, b: Attribute): boolean {
  const type = attributeType(a.name);
  if (type === undefined) return a.name === b.name;
  if (type !== attributeType(b.name)) return false;
  return (
    a.raw === b.raw ||
    (sameText(listValues(a).join(), listValues(b).join()) && sameText(cleanComment(a), cleanComment(b)))
  );
}

const serverWritten: ReadonlySet<string> = new Set([
  'created',
  'changed',
  'last-modified',
  'fingerpr',
  'owner',
  'method',
]);

/** Whether storing `b` over `a` would change only generated attributes (no-op update). */
export function sameObject(a: RpslObject, b: RpslObject): boolean {
  const left = submitted(a);
  const right = submitted(b);
  return a.type === b.type && left.length === right.length && left.every((l, i) => sameAttribute(l, right[i]!));
}

function submitted(o: RpslObject): Attribute[] {
  return o.attributes.filter((a) => !serverWritten.has(attributeType(a.name)?.name ?? a.name));
}

function sameText(a = '', b = ''): boolean {
  return a === b || a.toLowerCase() === b.toLowerCase();
}

/** The trimmed text when nothing else needs cleaning, as for nearly every stored value. */
function plainValue(raw: string): string | undefined {
  let start = 0;
  let end = raw.length;
  while (start < end && raw.charCodeAt(start) === space) start++;
  while (end > start && raw.charCodeAt(end - 1) === space) end--;
  let afterSpace = false;
  for (let at = start; at < end; at++) {
    const code = raw.charCodeAt(at);
    if (code > hash) {
      afterSpace = false;
    } else if (code === space) {
      if (afterSpace) return undefined;
      afterSpace = true;
    } else if (code === hash || code <= carriageReturn) {
      return undefined;
    } else {
      afterSpace = false;
    }
  }
  return raw.slice(start, end);
}

/** The text before the first `#` of each line, and the text after it. */
function partition(a: Attribute): { value: string; comment: string } {
  const uri = a.name === 'contact' || a.name === 'con';
  const values: string[] = [];
  const comments: string[] = [];
  a.raw.split('\n').forEach((line, index) => {
    const start = index > 0 && line.charCodeAt(0) === plus ? 1 : 0;
    const mark = commentStart(line, start, uri);
    values.push(mark < 0 ? line.slice(start) : line.slice(start, mark));
    if (mark >= 0) comments.push(line.slice(mark + 1));
  });
  return { value: values.join(' '), comment: comments.join(' ') };
}

/** Index of the `#` that starts the comment of a line, or -1. After the start of a URI it needs whitespace before it. */
function commentStart(line: string, from: number, uri: boolean): number {
  let mark = line.indexOf('#', from);
  while (uri && mark > from && !isWhitespace(line.charCodeAt(mark - 1))) mark = line.indexOf('#', mark + 1);
  return mark;
}

function collapse(text: string): string {
  return trimSpaces(text.replace(/[ \t\r\n]+/g, ' '));
}

/** Removes one space from both ends: whitespace runs are already collapsed. */
function trimSpaces(text: string): string {
  const start = text.startsWith(' ') ? 1 : 0;
  return text.slice(start, text.length > start && text.endsWith(' ') ? -1 : undefined);
}

/** The clean values of all attributes with this name in order, list attributes split. */
export function valuesOf(o: RpslObject, name: string): string[] {
  return allOf(o, name).flatMap(listValues);
}

/** The first of `valuesOf`. */
export function firstValueOf(o: RpslObject, name: string): string | undefined {
  const attribute = firstOf(o, name);
  return attribute && listValues(attribute)[0];
}
