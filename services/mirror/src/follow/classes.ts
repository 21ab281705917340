import { attributeType, type ObjectTypeName } from '@cadastre/rpsl';

/** The classes of objects that a copy follows; undefined for all. */
export type Classes = ReadonlySet<ObjectTypeName> | undefined;

/** How much of a line shows what it is: more than the longest name of a class. */
const enough = 64;

/** Their names, as stored and shown; null for all. */
export function classNames(classes: Classes): string[] | null {
  return classes === undefined ? null : [...classes].sort();
}

/** Whether a copy follows a class, in any of its names. */
export function followsClass(classes: Classes, name: string): boolean {
  if (classes === undefined) return true;
  const known = attributeType(name)?.name;
  return known !== undefined && classes.has(known as ObjectTypeName);
}

/** Whether a copy follows the class of an object (RPSL). */
export function followsText(classes: Classes, text: string): boolean {
  if (classes === undefined) return true;
  let at = 0;
  while (text[at] === '#' || text[at] === '%' || text[at] === '\n' || text[at] === '\r') {
    const newline = text.indexOf('\n', at);
    if (newline < 0) return false;
    at = newline + 1;
  }
  const line = text.slice(at, at + enough);
  return followsClass(classes, line.slice(0, Math.max(0, line.indexOf(':'))));
}

const lineFeed = 10;
const carriageReturn = 13;
const colon = 58;
const hash = 35;
const percent = 37;

const nothing = Buffer.alloc(0);

/**
 * The objects of these classes of a dump in any ASCII-compatible encoding, which arrives in chunks of any size. Empty
 * lines separate objects, as for `splitDump`; comments between objects are left out. Holds a chunk, whatever the length
 * of lines and objects.
 */
export async function* objectsOfClasses(chunks: AsyncIterable<Uint8Array>, classes: Classes) {
  if (classes === undefined) {
    yield* chunks;
    return;
  }
  const names = new Map<string, boolean>();
  /** Whether the copy follows the class of the present object; undefined between objects. */
  let isFollowed: boolean | undefined;
  /** Whether the chunk begins inside of a line. */
  let isInLine = false;
  let rest: Buffer = nothing;
  for await (const chunk of chunks) {
    const bytes = rest.length === 0 ? asBuffer(chunk) : Buffer.concat([rest, chunk]);
    const pieces: Buffer[] = [];
    /** Start of the followed bytes that are not in `pieces` yet. */
    let from = isFollowed === true ? 0 : -1;
    let at = 0;
    while (at < bytes.length) {
      const newline = bytes.indexOf(lineFeed, at);
      if (!isInLine && newline < 0 && bytes.length - at < enough) break;
      const next = newline < 0 ? bytes.length : newline + 1;
      if (!isInLine) {
        const isBlank = newline === at || (newline === at + 1 && bytes[at] === carriageReturn);
        if (isBlank) {
          if (from >= 0) pieces.push(bytes.subarray(from, next));
          from = -1;
          isFollowed = undefined;
        } else if (isFollowed === undefined && bytes[at] !== hash && bytes[at] !== percent) {
          isFollowed = isOfClasses(bytes.subarray(at, Math.min(next, at + enough)), classes, names);
          if (isFollowed) from = at;
        }
      }
      isInLine = newline < 0;
      at = next;
    }
    if (from >= 0 && from < at) pieces.push(bytes.subarray(from, at));
    rest = at < bytes.length ? Buffer.from(bytes.subarray(at)) : nothing;
    if (pieces.length > 0) yield pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces);
  }
  const isLastFollowed = isFollowed ?? (rest.length > 0 && isOfClasses(rest, classes, names));
  if (rest.length > 0 && isLastFollowed) yield rest;
}

function isOfClasses(line: Buffer, classes: Classes, names: Map<string, boolean>): boolean {
  const end = line.indexOf(colon);
  if (end < 0) return false;
  const name = line.toString('latin1', 0, end);
  let isOne = names.get(name);
  if (isOne === undefined) {
    isOne = followsClass(classes, name);
    if (names.size < 1_000) names.set(name, isOne);
  }
  return isOne;
}

function asBuffer(chunk: Uint8Array): Buffer {
  return Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
}
