import { asciiLowerCase } from './letter-case.js';
import type { Message } from './message.js';
import { parsingMessages as messages } from './messages/parsing.js';
import type { Attribute, RpslObject } from './object.js';
import { attributeType, objectType } from './types.js';
import { isWhitespace } from './whitespace.js';

/** `warnings` describe changes during parsing: at most that short names were replaced. */
export type Parsed =
  | { readonly ok: true; readonly object: RpslObject; readonly warnings: readonly Message[] }
  | { readonly ok: false; readonly messages: readonly Message[] };

export interface ParseOptions {
  /** Replace short attribute names (`mb`, `*mb`) by the full ones. */
  readonly expandShortNames?: boolean;
}

const tab = 9;
const lineFeed = 10;
const carriageReturn = 13;
const space = 32;
const plus = 43;

/** Parses the text of one object. Returns names in lower case; checks only the type. */
export function parseObject(text: string, options: ParseOptions = {}): Parsed {
  const end = contentEnd(text);
  const attributes: Attribute[] = [];
  let expanded = false;
  for (let at = contentStart(text, end); at < end; ) {
    const colon = text.indexOf(':', at);
    if (colon < 0 || colon >= lineEnd(text, at, end)) return failure(messages.noKeyFound());
    if (colon === at && attributes.length === 0) return failure(messages.zeroSizedKey());
    const valueEnd = logicalLineEnd(text, colon, end);
    const name = attributeName(text.slice(at, colon), options.expandShortNames === true);
    expanded ||= name.expanded;
    attributes.push({ name: name.text, raw: text.slice(colon + 1, valueEnd) });
    at = valueEnd + 1;
  }
  return finish(attributes, expanded);
}

/** The object of a text; undefined when it does not parse, for callers that skip it. */
export function parseReadable(text: string): RpslObject | undefined {
  const parsed = parseObject(text);
  return parsed.ok ? parsed.object : undefined;
}

function finish(attributes: readonly Attribute[], expanded: boolean): Parsed {
  const first = attributes[0];
  if (first === undefined) return failure(messages.emptyObject());
  const type = objectType(attributeType(first.name)?.name ?? first.name);
  if (type === undefined) return failure(messages.invalidObjectType(first.name));
  const warnings = expanded ? [messages.shortNamesReplaced()] : [];
  return { ok: true, object: { type: type.name, attributes }, warnings };
}

function failure(message: Message): Parsed {
  return { ok: false, messages: [message] };
}

function attributeName(written: string, expandShort: boolean): { text: string; expanded: boolean } {
  const known = attributeType(written)?.name;
  if (known === written) return { text: known, expanded: false };
  const folded = asciiLowerCase(written);
  return expandShort && known !== undefined
    ? { text: known, expanded: known !== folded }
    : { text: folded, expanded: false };
}

/** Start of the first line with more than whitespace. */
function contentStart(text: string, end: number): number {
  let start = 0;
  for (let at = 0; at < end; at++) {
    const code = text.charCodeAt(at);
    if (code === lineFeed) {
      start = at + 1;
    } else if (!isWhitespace(code)) {
      return start;
    }
  }
  return end;
}

function contentEnd(text: string): number {
  let end = text.length;
  while (end > 0 && (text.charCodeAt(end - 1) === lineFeed || text.charCodeAt(end - 1) === carriageReturn)) end--;
  return end;
}

function lineEnd(text: string, from: number, end: number): number {
  const newline = text.indexOf('\n', from);
  return newline < 0 || newline > end ? end : newline;
}

/** End of the line and of the lines that continue it: those that start with a space, a tab or `+`. */
function logicalLineEnd(text: string, from: number, end: number): number {
  let at = lineEnd(text, from, end);
  while (at < end) {
    const next = text.charCodeAt(at + 1);
    if (next !== space && next !== tab && next !== plus) return at;
    at = lineEnd(text, at + 1, end);
  }
  return at;
}
