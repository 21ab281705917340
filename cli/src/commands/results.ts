import { timeText } from '@cadastre/changes';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { type Io, say } from '../io.js';
import { printableLine } from '../printable.js';

const widestCell = 100;

/** A value of a list: null for none. Serials are numbers in JSON. */
export type Cell = string | number | bigint | boolean | Date | null;

/** A column: the name of its member in JSON, its head in the table (default: that name), and the replacement of null. */
export type Columns<R> = readonly ((keyof R & string) | { name: keyof R & string; head?: string; none?: string })[];

/** The options of a command that prints a report. */
export interface ReportOptions {
  json?: true;
}

/** The options of a command that prints a list. */
export interface ListOptions extends ReportOptions {
  /** Maximum number of entries, at least 1. */
  limit?: number;
}

/** Adds the options of a command that prints a report. */
export function asReport(command: Command, json = 'a JSON object instead of text'): Command {
  return command.addOption(new Option('--json', `print ${json}`));
}

/** Adds the options of a command that prints a list. */
export function asList(command: Command, json = 'a JSON array of objects instead of a table'): Command {
  const limit = new Option('--limit <number>', 'print only the first entries, at most this number').argParser(limitOf);
  return asReport(command, json).addOption(limit);
}

/** Reads a maximum number of entries. */
export function limitOf(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError('It must be a number from 1 to 999999999.');
  return Number(text);
}

/** The entries of a list that a service returns in pages. The `next` place of the last page is the first one again. */
export async function* inPages<T, Place>(
  first: Place,
  read: (after: Place) => Promise<{ readonly entries: readonly T[]; readonly next: Place }>,
): AsyncGenerator<T> {
  let after = first;
  do {
    const { entries, next } = await read(after);
    yield* entries;
    after = next;
  } while (after !== first);
}

/** Prints a list as a table, or as JSON: an array of objects, times in ISO 8601. Reads no more entries than it prints. */
export async function printList<R extends Record<keyof R, Cell>>(
  io: Io,
  columns: Columns<R>,
  records: Iterable<R> | AsyncIterable<R>,
  { json, limit }: ListOptions,
): Promise<void> {
  const shown = await firstOf(records, limit);
  const all = columns.map((column) => (typeof column === 'string' ? { name: column } : column));
  if (json) {
    printJson(
      io,
      shown.map((record) => Object.fromEntries(all.map(({ name }) => [name, record[name]]))),
    );
    return;
  }
  const rows = shown.map((record) => all.map(({ name, none = '-' }) => textOf(record[name]) || none));
  for (const line of table(
    all.map(({ name, head = wordsOf(name).toUpperCase() }) => head),
    rows,
  )) {
    say(io, line);
  }
}

async function firstOf<R>(records: Iterable<R> | AsyncIterable<R>, limit = Number.POSITIVE_INFINITY): Promise<R[]> {
  const first: R[] = [];
  for await (const record of records) if (first.push(record) >= limit) break;
  return first;
}

/** Prints the facts about one thing: a line for each existing value, with its name in words. */
export function printFacts(io: Io, facts: Readonly<Record<string, Cell | readonly string[]>>): void {
  const lines = Object.entries(facts).map(([name, value]) => {
    return { label: `${wordsOf(name)}:`, value };
  });
  const width = Math.max(...lines.map(({ label }) => label.length)) + 1;
  for (const { label, value } of lines) {
    const text = Array.isArray(value) ? value.join(', ') : textOf(value as Cell);
    if (text !== '') say(io, `${label.padEnd(width)}${text}`);
  }
}

function wordsOf(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

/** The name of a value among those that options have; "unknown" without one. */
export function nameIn<T>(names: Readonly<Record<string, T>>, value: T): string {
  return Object.keys(names).find((name) => names[name] === value) ?? 'unknown';
}

/** Prints a value of arrays, objects and cells as JSON, with times in ISO 8601. */
export function printJson(io: Io, value: unknown): void {
  const numbers = (_: string, cell: unknown) => (typeof cell === 'bigint' ? Number(cell) : cell);
  say(io, escaped(JSON.stringify(value, numbers, 2)));
}

function textOf(cell: Cell): string {
  if (typeof cell === 'boolean') return cell ? 'yes' : 'no';
  return cell instanceof Date ? timeText(cell) : String(cell ?? '');
}

/** JSON escapes only some control characters; the others must not reach a terminal either. */
function escaped(json: string): string {
  return json.replace(/[^\n -~\u00a0-\ud7ff\ue000-\uffff]|[\u200e\u200f\u2028-\u202e\u2066-\u2069]/g, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}

/** The lines of a table; each column is as wide as its widest cell. Cells may contain texts of others. */
function table(head: string[], rows: string[][]): string[] {
  const all = [head, ...rows.map((row) => row.map((cell) => printableLine(cell, widestCell)))];
  const widths = head.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  return all.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}
