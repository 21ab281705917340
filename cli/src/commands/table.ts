import { type Command, Option } from 'commander';
import { type Io, say } from '../io.js';
import { printableLine } from '../printable.js';

const widestCell = 100;

/** A value of a list: null for none. Serials are numbers in JSON. */
export type Cell = string | number | bigint | Date | null;

/** A column: the name of its member in JSON, its head in the table, and what the table shows in place of null. */
export type Columns<R> = readonly { name: keyof R & string; head: string; none?: string }[];

/** The options of a command that prints a list. */
export interface ListOptions {
  json?: true;
}

/** Adds `--json` to a command that prints a list. */
export function withJson(command: Command): Command {
  return command.addOption(new Option('--json', 'print a JSON array of objects instead of a table'));
}

/** Prints a list as a table, or as JSON: an array of objects, times in ISO 8601. */
export function printList<R extends Record<keyof R, Cell>>(
  io: Io,
  columns: Columns<R>,
  records: readonly R[],
  { json }: ListOptions,
): void {
  if (json) {
    printJson(
      io,
      records.map((record) => Object.fromEntries(columns.map(({ name }) => [name, record[name]]))),
    );
    return;
  }
  const rows = records.map((record) => columns.map(({ name, none = '-' }) => textOf(record[name]) || none));
  for (const line of table(
    columns.map(({ head }) => head),
    rows,
  )) {
    say(io, line);
  }
}

/** Prints a value of arrays, objects and cells as JSON, with times in ISO 8601. */
export function printJson(io: Io, value: unknown): void {
  const numbers = (_: string, cell: unknown) => (typeof cell === 'bigint' ? Number(cell) : cell);
  say(io, escaped(JSON.stringify(value, numbers, 2)));
}

function textOf(cell: Cell): string {
  return cell instanceof Date ? cell.toISOString().replace(/\.\d+Z$/, 'Z') : String(cell ?? '');
}

/** JSON escapes only some control characters; the others must not reach a terminal either. */
function escaped(json: string): string {
  return json.replace(/[^\n -~\u00a0-\ud7ff\ue000-\uffff]|[\u200e\u200f\u2028-\u202e\u2066-\u2069]/g, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}

/** The lines of a table; each column is as wide as its widest cell. Cells may have texts of others. */
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
