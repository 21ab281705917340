// Slow reads: each function is a task of a thread, which has one open connection for each source.
import type {
  Beginning,
  HoldingsQuery,
  InsideQuery,
  InverseQuery,
  ListFilter,
  NamedLike,
  NameQuery,
  TypeQuery,
  WordQuery,
} from '../index-port.js';
import * as lists from './filter-list.js';
import * as page from './query-page.js';
import * as reads from './reads.js';
import { openTables, type Tables } from './tables.js';

/** The file that is the index of a source. */
export interface SourceFile {
  readonly source: string;
  readonly file: string;
}

const open = new Map<string, { readonly file: string; readonly tables: Tables }>();

function reading<T>({ source, file }: SourceFile, read: (tables: Tables) => T): T {
  let known = open.get(source);
  if (known?.file !== file) {
    known?.tables.close();
    known = { file, tables: openTables(file, { readOnly: true }) };
    open.set(source, known);
  }
  const { tables } = known;
  return tables.reading(() => read(tables));
}

export function readPage(file: SourceFile, queries: readonly TypeQuery[], start: page.PageStart): page.QueryPage {
  return reading(file, (tables) => page.readPage(tables, file.source, queries, start));
}

export function countByType(file: SourceFile, queries: readonly InverseQuery[]) {
  return reading(file, (tables) => reads.countByType(tables, queries));
}

export function filterPart(
  file: SourceFile,
  queries: readonly InverseQuery[],
  filter: ListFilter & { readonly limit: number },
  start: page.PageStart,
) {
  return reading(file, (tables) => lists.filterPart(tables, queries, filter, start));
}

export function searchWords(file: SourceFile, query: WordQuery) {
  return reading(file, (tables) => reads.searchWords(tables, file.source, query));
}

export function suggest(file: SourceFile, beginning: Beginning) {
  return reading(file, (tables) => reads.suggest(tables, file.source, beginning));
}

export function searchNames(file: SourceFile, query: NameQuery) {
  return reading(file, (tables) => reads.searchNames(tables, file.source, query));
}

export function countNames(file: SourceFile, named: NamedLike) {
  return reading(file, (tables) => reads.countNames(tables, named));
}

export function spansInside(file: SourceFile, query: InsideQuery) {
  return reading(file, (tables) => reads.spansInside(tables, query));
}

export function holdings(file: SourceFile, query: HoldingsQuery) {
  return reading(file, (tables) => reads.holdings(tables, query));
}
