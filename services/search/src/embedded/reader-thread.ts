// Slow reads: each function is a task of a thread, which has one open connection for each source.
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

/** Makes a task of a read. */
function ofSource<P extends unknown[], T>(read: (tables: Tables, source: string, ...parameters: P) => T) {
  return ({ source, file }: SourceFile, ...parameters: P): T => {
    let known = open.get(source);
    if (known?.file !== file) {
      known?.tables.close();
      known = { file, tables: openTables(file, { readOnly: true }) };
      open.set(source, known);
    }
    const { tables } = known;
    return tables.reading(() => read(tables, source, ...parameters));
  };
}

/** The same for a read that does not name the source. */
function ofTables<P extends unknown[], T>(read: (tables: Tables, ...parameters: P) => T) {
  return ofSource((tables, _source, ...parameters: P) => read(tables, ...parameters));
}

export const readPage = ofSource(page.readPage);
export const countByType = ofTables(reads.countByType);
export const filterPart = ofTables(lists.filterPart);
export const searchWords = ofSource(reads.searchWords);
export const suggest = ofSource(reads.suggest);
export const searchNames = ofSource(reads.searchNames);
export const countNames = ofTables(reads.countNames);
export const spansInside = ofTables(reads.spansInside);
export const holdings = ofTables(reads.holdings);
