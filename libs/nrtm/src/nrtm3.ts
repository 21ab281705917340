/** Requests and answers of NRTM version 3. */

/** What a follower asks for: `-g EXAMPLE:3:101-LAST`. */
export interface Nrtm3Request {
  readonly source: string;
  readonly version: number;
  readonly first: number;
  /** Absent for `LAST`, the newest. */
  readonly last?: number;
}

/** Why a request gets no changes, with the code that clients know. */
export interface Nrtm3Refusal {
  readonly code: 401 | 402 | 403 | 405 | 406;
  readonly text: string;
}

/** Longest text of a request. */
const maxRequest = 200;

/** Reads the argument of `-g`. */
export function parseNrtm3Request(text: string): Nrtm3Request | Nrtm3Refusal {
  const parts = text.length > maxRequest ? null : /^([A-Za-z][\w-]*):(\d{1,3}):(\d{1,15})-(\d{1,15}|LAST)$/i.exec(text);
  if (parts === null) return { code: 405, text: 'syntax error: write SOURCE:3:FIRST-LAST' };
  const [, source, version, first, last] = parts;
  if (version !== '3') return { code: 406, text: 'NRTM version mismatch: only version 3 is served' };
  const request = { source: source!.toUpperCase(), version: 3, first: Number(first) };
  return /^\d/.test(last!) ? { ...request, last: Number(last) } : request;
}

/** The line that asks for changes; `keep` for those to come as well. */
export function writeNrtm3Request({ source, version, first, last }: Nrtm3Request, keep = false): string {
  return `${keep ? '-k ' : ''}-g ${source}:${version}:${first}-${last ?? 'LAST'}\n`;
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

/** What begins an answer. */
export interface Nrtm3Start {
  readonly source: string;
  readonly first: number;
  readonly last: number;
}

export function writeNrtm3Start({ source, first, last }: Nrtm3Start): string {
  return `%START Version: 3 ${source} ${first}-${last}\n\n`;
}

export function writeNrtm3Change({ action, serial, object }: Nrtm3Change): string {
  return `${action} ${serial}\n\n${object.endsWith('\n') ? object : `${object}\n`}\n`;
}

export function writeNrtm3End(source: string): string {
  return `%END ${source}\n`;
}

/** One part of an answer. */
export type Nrtm3Item =
  | { readonly kind: 'start'; readonly start: Nrtm3Start }
  | { readonly kind: 'change'; readonly change: Nrtm3Change }
  | { readonly kind: 'end' }
  /** There is nothing newer (IRRd says so, RIPE answers 401). */
  | { readonly kind: 'current' }
  /** `code` is absent where the server gives none (IRRd). */
  | { readonly kind: 'refused'; readonly code?: number; readonly text: string };

/** An answer that follows no rule of the protocol. The message is a sentence without a full stop. */
export class Nrtm3Fault extends Error {
  override readonly name = 'Nrtm3Fault';
}

/** Longest object of an answer, in characters: the largest that a load accepts. */
const maxObject = 5_000_000;

/**
 * The parts of an answer that arrives in chunks. Ends after `end`, `current` or `refused`; an answer that ends before
 * one of them was cut off. Errors: Nrtm3Fault, and those of `chunks`.
 */
export async function* readNrtm3Answer(chunks: AsyncIterable<string>): AsyncGenerator<Nrtm3Item> {
  let reading: Reading = {};
  for await (const line of linesOf(chunks)) {
    const { item, next } = readLine(line, reading);
    if (item !== undefined) yield item;
    if (item !== undefined && item.kind !== 'start' && item.kind !== 'change') return;
    reading = next;
  }
  throw new Nrtm3Fault('The answer was cut off');
}

/** What the lines before have begun. */
interface Reading {
  readonly action?: Nrtm3Change['action'];
  readonly serial?: number;
  readonly lines?: readonly string[];
  readonly length?: number;
}

interface ReadLine {
  readonly item?: Nrtm3Item;
  readonly next: Reading;
}

function readLine(line: string, reading: Reading): ReadLine {
  if (reading.action === undefined) return readControl(line);
  if (line.startsWith('%')) throw new Nrtm3Fault('A change has no object');
  if (line !== '') return { next: withLine(reading, line) };
  if (reading.lines === undefined) return { next: reading };
  const object = `${reading.lines.join('\n')}\n`;
  return { item: { kind: 'change', change: { action: reading.action, serial: reading.serial!, object } }, next: {} };
}

function withLine(reading: Reading, line: string): Reading {
  const length = (reading.length ?? 0) + line.length + 1;
  if (length > maxObject) throw new Nrtm3Fault(`An object is longer than ${maxObject} characters`);
  const lines = (reading.lines ?? []) as string[];
  lines.push(line);
  return { ...reading, lines, length };
}

function readControl(line: string): ReadLine {
  const change = /^(ADD|DEL) (\d{1,15})$/.exec(line);
  if (change !== null) return { next: { action: change[1] as Nrtm3Change['action'], serial: Number(change[2]) } };
  const item = itemOf(line);
  if (item !== undefined) return { item, next: {} };
  if (line === '' || line.startsWith('%')) return { next: {} };
  throw new Nrtm3Fault('The answer has a line that is neither a comment nor a change');
}

function itemOf(line: string): Nrtm3Item | undefined {
  const start = /^%START Version: *\d+ +(\S+) +(\d{1,15})-(\d{1,15})/i.exec(line);
  if (start !== null) {
    return { kind: 'start', start: { source: start[1]!, first: Number(start[2]), last: Number(start[3]) } };
  }
  if (/^%END\b/i.test(line)) return { kind: 'end' };
  if (/^%+ *warning:? .*no newer updates/i.test(line)) return { kind: 'current' };
  const error = /^%+ *error:? *(?:(\d{3}):)? *(.*)$/i.exec(line);
  if (error === null) return undefined;
  const text = error[2]!;
  return { kind: 'refused', text, ...(error[1] === undefined ? {} : { code: Number(error[1]) }) };
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
