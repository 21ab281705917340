import type { ResourceDescription } from '@cadastre/client';
import type { Order } from '../design/ordered-head.js';
import { type BulkRow, isOpen } from './bulk-lookup.js';
import { findResources } from './find-resources.js';

export const columns = ['resource', 'network', 'holder', 'country', 'abuse', 'origin'] as const;
export type Column = (typeof columns)[number];

/** Which rows of a lookup to see, and in which order; without a column in that of the text. */
export interface TableView extends Order<Column> {
  readonly filter: string;
  readonly kind: Kind;
}

export const firstView: TableView = { filter: '', kind: 'all', column: '', isDescending: false };

/** The groups of rows to choose from. */
const kinds = {
  all: () => true,
  registered: ({ answer }) => answer?.network !== undefined,
  'not registered': (row) => row.answer !== undefined && row.answer.network === undefined && !row.answer.error,
  'without abuse contact': ({ answer }) => answer?.network !== undefined && answer['abuse-contact'] === undefined,
  'without route': ({ answer }) => answer?.network !== undefined && answer.routes.length === 0,
  'with an invalid route': ({ answer }) => answer?.routes.some(({ roa }) => roa === 'invalid') ?? false,
  'not looked up': isOpen,
} as const satisfies Readonly<Record<string, (row: BulkRow) => boolean>>;

export type Kind = keyof typeof kinds;
export const kindNames = Object.keys(kinds) as Kind[];

/** The text of each column. */
const cells: Readonly<Record<Column, (row: BulkRow) => string>> = {
  resource: ({ text }) => text,
  network: ({ answer }) => [answer?.network?.key, answer?.network?.name].filter(Boolean).join(' '),
  holder: ({ answer }) => answer?.['resource-holder']?.name ?? '',
  country: ({ answer }) => answer?.network?.countries.join(' ') ?? '',
  abuse: ({ answer }) => answer?.['abuse-contact']?.email ?? '',
  origin: ({ answer }) => answer?.routes.map(({ origin }) => origin).join(' ') ?? '',
};

/** Why a row has no answer; empty when it has one. */
export function noteOf(row: BulkRow): string {
  if (row.answer === undefined) return 'not looked up';
  if (row.answer.error !== undefined) return row.answer.error;
  if (row.answer.network !== undefined) return '';
  return row.special === undefined ? 'not registered here' : `not registered here (${row.special})`;
}

/** The rows of a view, in its order. Rows without a value come last. */
export function viewRows(rows: readonly BulkRow[], { filter, kind, column, isDescending }: TableView): BulkRow[] {
  const words = filter.trim().toLowerCase();
  const shown = rows.filter((row) => kinds[kind](row) && (words === '' || textOf(row).includes(words)));
  if (column === '') return shown;
  const keyed = shown.map((row) => ({ row, key: sortKey(row, column) }));
  const direction = isDescending ? -1 : 1;
  keyed.sort((a, b) => {
    if (a.key === b.key) return 0;
    if (a.key === '' || b.key === '') return a.key === '' ? 1 : -1;
    return a.key < b.key ? -direction : direction;
  });
  return keyed.map(({ row }) => row);
}

function textOf(row: BulkRow): string {
  return `${columns.map((column) => cells[column](row)).join('\n')}\n${noteOf(row)}`.toLowerCase();
}

/** Numbers sort as numbers. */
function sortKey(row: BulkRow, column: Column): string {
  const text = cells[column](row);
  if (column === 'resource') return row.order;
  if (column === 'origin') return text === '' ? '' : text.slice(2).split(' ')[0]!.padStart(10, '0');
  if (column !== 'network') return text.toLowerCase();
  const [first] = findResources(text, 1).resources;
  return first === undefined ? '' : `${first.order} ${text}`;
}

/** A table of values for files. */
const exported: readonly (readonly [name: string, value: (row: BulkRow) => string])[] = [
  ['resource', ({ text }) => text],
  ['count', ({ count }) => String(count)],
  ['network', ({ answer }) => answer?.network?.key ?? ''],
  ['name', ({ answer }) => answer?.network?.name ?? ''],
  ['country', cells.country],
  ['holder', cells.holder],
  ['holder-key', ({ answer }) => answer?.['resource-holder']?.key ?? ''],
  ['abuse-email', cells.abuse],
  ['prefix', ({ answer }) => answer?.routes[0]?.prefix ?? ''],
  ['origin', cells.origin],
  ['roa', ({ answer }) => answer?.routes.map(({ roa = 'unknown' }) => roa).join(' ') ?? ''],
  ['note', noteOf],
];

/** The rows as CSV (RFC 4180). */
export function csvOf(rows: readonly BulkRow[]): string {
  const names = exported.map(([name]) => name);
  const lines = rows.map((row) => exported.map(([, value]) => csvCell(value(row))));
  return [names, ...lines].map((line) => `${line.join(',')}\r\n`).join('');
}

/** Spreadsheets would run a text that begins like a formula: an apostrophe before it makes it a text. */
function csvCell(value: string): string {
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** The rows as JSON: the answers of the registry, with counts and notes. */
export function jsonOf(rows: readonly BulkRow[]): string {
  const list = rows.map((row): Partial<ResourceDescription> & { count: number; note?: string } => {
    const note = noteOf(row);
    return { resource: row.text, count: row.count, ...row.answer, ...(note === '' ? {} : { note }) };
  });
  return `${JSON.stringify(list, undefined, 1)}\n`;
}
