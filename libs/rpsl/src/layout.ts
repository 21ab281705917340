import type { Attribute, RpslObject } from './object.js';
import { isWhitespace } from './whitespace.js';

/** Column, counted from 0, at which values start in the text form. */
const valueColumn = 16;
const spaces = ' '.repeat(valueColumn);

const plus = 43;

/** The text form of an object: one line per attribute line, values at column 16, ends with LF. */
export function printObject(o: RpslObject): string {
  let text = '';
  for (const attribute of o.attributes) text += `${attribute.name}:${attributeText(attribute)}\n`;
  return text;
}

/** The output of `printObject` after `name:`, with padding. */
export function attributeText(a: Attribute): string {
  const { raw } = a;
  const newline = raw.indexOf('\n');
  if (newline < 0) return firstLine(a.name, raw);
  const [first = '', ...continuations] = raw.split('\n');
  return [firstLine(a.name, first), ...continuations.map(continuationLine)].join('\n');
}

function firstLine(name: string, line: string): string {
  // A name that reaches column 16 leaves no room for padding: keep the given spaces.
  const room = valueColumn - name.length - 1;
  if (room <= 0) return lineText(line, 0);
  const value = lineText(line, leadingSpace(line, 0));
  return value === '' ? '' : spaces.slice(0, room) + value;
}

function continuationLine(line: string): string {
  const marked = line.charCodeAt(0) === plus;
  const value = lineText(line, leadingSpace(line, marked ? 1 : 0));
  if (value === '') return '+';
  return marked ? `+${spaces.slice(1)}${value}` : spaces + value;
}

function leadingSpace(line: string, from: number): number {
  let at = from;
  while (at < line.length && isWhitespace(line.charCodeAt(at))) at++;
  return at;
}

/** The line from `start` on, tabs and CR as spaces, without trailing whitespace. */
export function lineText(line: string, start: number): string {
  let end = line.length;
  while (end > start && isWhitespace(line.charCodeAt(end - 1))) end--;
  const text = line.slice(start, end);
  return text.includes('\t') || text.includes('\r') ? text.replace(/[\t\r]/g, ' ') : text;
}
