/** Requests and answers of NRTM version 3. */

/** The request of a follower: `-g EXAMPLE:3:101-LAST`. */
export interface Nrtm3Request {
  readonly source: string;
  readonly version: Nrtm3Version;
  readonly first: number;
  /** Absent for `LAST`, the newest. */
  readonly last?: number;
}

/** Version 1 has no serials of changes. */
export type Nrtm3Version = 1 | 3;

/** Why a request gets no changes, with the code that clients know. */
export interface Nrtm3Refusal {
  readonly code: 100 | 306 | 401 | 402 | 403 | 405 | 406;
  readonly text: string;
}

/** Maximum length of a request. */
const maxRequest = 200;

/** Reads the argument of `-g`. */
export function parseNrtm3Request(text: string): Nrtm3Request | Nrtm3Refusal {
  const parts = text.length > maxRequest ? null : /^([A-Za-z][\w-]*):(\d{1,3}):(\d{1,15})-(\d{1,15}|LAST)$/i.exec(text);
  if (parts === null) return { code: 405, text: 'syntax error: write -g SOURCE:3:FIRST-LAST' };
  const [, source, number, first, last] = parts;
  const version = Number(number);
  if (version !== 1 && version !== 3) {
    return { code: 406, text: 'NRTM version mismatch: versions 1 and 3 are served' };
  }
  const request = { source: source!.toUpperCase(), version, first: Number(first) } as const;
  return /^\d/.test(last!) ? { ...request, last: Number(last) } : request;
}

/** The request line for changes. */
export function writeNrtm3Request({ source, version, first, last }: Nrtm3Request): string {
  return `-g ${source}:${version}:${first}-${last ?? 'LAST'}\n`;
}

/** The line of a refusal. */
export function writeNrtm3Refusal({ code, text }: Nrtm3Refusal): string {
  return `%ERROR:${code}: ${text}\n`;
}

/** One change; `object` ends with LF. A deletion carries the last text. */
export interface Nrtm3Change {
  readonly action: 'ADD' | 'DEL';
  readonly serial: number;
  readonly object: string;
}

/** The start of an answer. */
export interface Nrtm3Start {
  readonly source: string;
  readonly version: Nrtm3Version;
  readonly first: number;
  readonly last: number;
}

export function writeNrtm3Start({ source, version, first, last }: Nrtm3Start): string {
  return `%START Version: ${version} ${source} ${first}-${last}\n\n`;
}

export function writeNrtm3Change({ action, serial, object }: Nrtm3Change, version: Nrtm3Version): string {
  const head = version === 1 ? action : `${action} ${serial}`;
  return `${head}\n\n${object.endsWith('\n') ? object : `${object}\n`}\n`;
}

/** The last line of an answer. Nothing may follow: IRRd treats an answer with a comment after it as cut off. */
export function writeNrtm3End(source: string): string {
  return `%END ${source}\n`;
}

/** One part of an answer. */
export type Nrtm3Item =
  | { readonly kind: 'start'; readonly start: Nrtm3Start }
  | { readonly kind: 'change'; readonly change: Nrtm3Change }
  | { readonly kind: 'end' }
  /** There is nothing newer (IRRd responds so, RIPE responds 401). */
  | { readonly kind: 'current' }
  /** `code` is absent where the server gives none (IRRd). */
  | { readonly kind: 'refused'; readonly code?: number; readonly text: string };

/** An answer that violates the protocol. The message is a sentence without a full stop. */
export class Nrtm3Fault extends Error {
  override readonly name: string = 'Nrtm3Fault';
}

/** An answer that ended before its last line. */
export class Nrtm3CutOff extends Nrtm3Fault {
  override readonly name: string = 'Nrtm3CutOff';
  constructor() {
    super('The answer was cut off');
  }
}

/** Maximum length of an object in an answer, in characters: the largest that a load accepts. */
const maxObject = 5_000_000;

/**
 * The parts of an answer of version 3 that arrives in chunks: one `start`, changes with ascending serials, and `end`; or
 * one `current` or `refused`. Serials may have gaps: the server does not give all objects. Errors: Nrtm3Fault, and those
 * of `chunks`.
 */
export async function* readNrtm3Answer(chunks: AsyncIterable<string>): AsyncGenerator<Nrtm3Item> {
  let reading: Reading = {};
  for await (const line of linesOf(chunks)) {
    const { item, next } = readLine(line, reading);
    if (item !== undefined) yield item;
    if (item !== undefined && item.kind !== 'start' && item.kind !== 'change') return;
    reading = next;
  }
  throw new Nrtm3CutOff();
}

/** What the previous lines contained. */
interface Reading {
  readonly start?: Nrtm3Start;
  /** The serial of the last change. */
  readonly serial?: number;
  /** The change whose object comes next. */
  readonly action?: Nrtm3Change['action'];
  readonly lines?: string[];
  /** Of these lines, in characters. */
  readonly length?: number;
}

interface ReadLine {
  readonly item?: Nrtm3Item;
  readonly next: Reading;
}

function readLine(line: string, reading: Reading): ReadLine {
  const { action, lines, start, serial } = reading;
  if (action === undefined) return readControl(line, reading);
  if (line.startsWith('%')) throw new Nrtm3Fault('A change has no object, or no empty line after it');
  if (line !== '') return { next: withLine(reading, line) };
  if (lines === undefined) return { next: reading };
  const change = { action, serial: serial!, object: `${lines.join('\n')}\n` };
  return { item: { kind: 'change', change }, next: { start: start!, serial: serial! } };
}

function withLine({ lines = [], length = 0, ...reading }: Reading, line: string): Reading {
  const longer = length + line.length + 1;
  if (longer > maxObject) throw new Nrtm3Fault(`An object is longer than ${maxObject} characters`);
  lines.push(line);
  return { ...reading, lines, length: longer };
}

function readControl(line: string, reading: Reading): ReadLine {
  const [, action, serial] = /^(ADD|DEL) (\d{1,15})$/.exec(line) ?? [];
  if (action !== undefined) {
    return { next: { ...withSerial(reading, Number(serial)), action: action as Nrtm3Change['action'] } };
  }
  const item = itemOf(line, reading);
  if (item?.kind === 'start') return { item, next: { start: item.start } };
  if (item !== undefined) return { item, next: reading };
  if (line === '' || line.startsWith('%')) return { next: reading };
  throw new Nrtm3Fault('The answer has a line that is neither a comment nor a change');
}

function withSerial({ start, serial: last }: Reading, serial: number): Reading {
  if (start === undefined) throw new Nrtm3Fault('A change stands before the first line of the answer');
  if (serial < start.first || serial > start.last) {
    throw new Nrtm3Fault(`The change ${serial} is outside of the range ${start.first}-${start.last}`);
  }
  if (last !== undefined && serial <= last) throw new Nrtm3Fault(`The change ${serial} follows the change ${last}`);
  return { start, serial };
}

function itemOf(line: string, { start: begun }: Reading): Nrtm3Item | undefined {
  const start = /^% *START *Version: *(\d+) +([\w-]+) +(\d{1,15})-(\d{1,15})/i.exec(line);
  if (start !== null) {
    if (begun !== undefined) throw new Nrtm3Fault('The answer begins twice');
    if (start[1] !== '3') throw new Nrtm3Fault(`The answer is of version ${start[1]}`);
    const [first, last] = [Number(start[3]), Number(start[4])];
    return { kind: 'start', start: { source: start[2]!.toUpperCase(), version: 3, first, last } };
  }
  const end = /^% *END\b *([\w-]*)/i.exec(line);
  if (end !== null) return endOf(end[1]!, begun);
  if (/^%+ *warning\b.*no (newer )?updates/i.test(line)) return { kind: 'current' };
  const error = /^%+ *error\b:? *(?:(\d{3}):)? *(.*)$/i.exec(line);
  if (error === null) return undefined;
  const text = error[2]!;
  return { kind: 'refused', text, ...(error[1] === undefined ? {} : { code: Number(error[1]) }) };
}

function endOf(source: string, begun: Nrtm3Start | undefined): Nrtm3Item {
  if (begun === undefined) throw new Nrtm3Fault('The answer ends before its first line');
  if (source.toUpperCase() !== begun.source)
    throw new Nrtm3Fault(`The answer for ${begun.source} ends with another source`);
  return { kind: 'end' };
}

/** Lines without their ends. */
async function* linesOf(chunks: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = '';
  for await (const chunk of chunks) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop()!;
    if (rest.length > maxObject) throw new Nrtm3Fault(`A line is longer than ${maxObject} characters`);
    for (const line of lines) yield line.endsWith('\r') ? line.slice(0, -1) : line;
  }
  if (rest !== '') yield rest;
}
