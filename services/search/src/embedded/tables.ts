import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import type { Tag } from '@cadastre/proto/registry';
import { type ObjectTypeName, objectType, objectTypeNames } from '@cadastre/rpsl';
import { type IndexedObject, maximalBytes } from '../index-port.js';
import { unpackText } from '../packed-text.js';

/**
 * Version of the tables: increase it when the tables change, or the form of packed texts, shown objects, terms, words
 * or positions. Files have it in their names.
 */
export const format = 5;

/** What the names of a file and of SQLite's files beside it end with. */
export const fileEnds = ['', '-wal', '-shm'];

type Row = Record<string, unknown>;

/** The index of a source in one file. */
export interface Tables {
  /** The row of a statement; undefined for none. Statements are prepared once. */
  one<R extends object = Row>(sql: string, ...values: SQLInputValue[]): R | undefined;
  all<R extends object = Row>(sql: string, ...values: SQLInputValue[]): R[];
  /** As `one`, with the values of the columns in their order: an object for each row costs more. */
  row<R extends readonly unknown[]>(sql: string, ...values: SQLInputValue[]): R | undefined;
  rows<R extends readonly unknown[]>(sql: string, ...values: SQLInputValue[]): R[];
  /** Returns the identifier of the inserted row. */
  run(sql: string, ...values: SQLInputValue[]): number;
  exec(sql: string): void;
  /** Runs reads that see one state of the file. */
  reading<T>(work: () => T): T;
  /** Runs writes that are stored together, or not at all. */
  writing<T>(work: () => T): T;
  /** The lengths of the nodes that have ranges of a type in a number space; for the state that `reading` sees. */
  nodeLengths(type: number, space: number): readonly number[];
  close(): void;
}

/** The system keeps pages in memory as well. */
const cacheKib = 32 * 1024;

/** Threads of SQLite that sort the rows of a new index while the connection reads and inserts others. */
const sortThreads = 1;

/** SQLite prepares a statement with `limit ?` again for each value, which costs more than most reads. */
export const limited = 'limit ? + 0';

/** Opens a file. Several connections may read it while one writes. */
export function openTables(file: string, { readOnly }: { readonly readOnly: boolean }): Tables {
  const db = new DatabaseSync(file, { readOnly, timeout: 5_000 });
  const statementsFor = (asArrays: boolean) => {
    const statements = new Map<string, StatementSync>();
    return (sql: string) => {
      const known = statements.get(sql);
      if (known !== undefined) return known;
      const statement = db.prepare(sql);
      statement.setReturnArrays(asArrays);
      statements.set(sql, statement);
      return statement;
    };
  };
  const prepared = statementsFor(false);
  const withArrays = statementsFor(true);
  const within = <T>(begin: string, work: () => T): T => {
    prepared(begin).get();
    try {
      const result = work();
      prepared('commit').get();
      return result;
    } catch (error) {
      if (db.isTransaction) db.exec('rollback');
      throw error;
    }
  };
  db.exec(`pragma cache_size = -${cacheKib}; pragma temp_store = file`);
  // A crash of the machine may undo the newest batches, which the feed then sends again; the rest is consistent.
  if (!readOnly) {
    db.exec('pragma journal_mode = wal; pragma synchronous = normal; pragma journal_size_limit = 67108864');
    db.exec(`pragma threads = ${sortThreads}`);
  }
  let lengths = { serial: Number.NaN, of: new Map<string, readonly number[]>() };
  const tables: Tables = {
    one: <R extends object>(sql: string, ...values: SQLInputValue[]) => prepared(sql).get(...values) as R | undefined,
    all: <R extends object>(sql: string, ...values: SQLInputValue[]) => prepared(sql).all(...values) as R[],
    row: <R>(sql: string, ...values: SQLInputValue[]) => withArrays(sql).get(...values) as R | undefined,
    rows: <R>(sql: string, ...values: SQLInputValue[]) => withArrays(sql).all(...values) as unknown as R[],
    run: (sql, ...values) => Number(prepared(sql).run(...values).lastInsertRowid),
    exec: (sql) => db.exec(sql),
    reading: (work) => within('begin', work),
    writing: (work) => within('begin immediate', work),
    nodeLengths(type, space) {
      const [serial] = tables.row<[number]>(serialText)!;
      if (lengths.serial !== serial) lengths = { serial, of: new Map() };
      const name = `${type} ${space}`;
      const known = lengths.of.get(name);
      if (known !== undefined) return known;
      const read = tables
        .rows<[number]>('select bits from node_length where type = ? and space = ?', type, space)
        .map(([bits]) => bits);
      lengths.of.set(name, read);
      return read;
    },
    close: () => db.close(),
  };
  return tables;
}

/** Creates the tables of a new file, without the indexes, which are cheaper to build on full tables. */
export function createTables(tables: Tables): void {
  tables.exec(`
    create table state (
      source text not null,
      id text not null,
      phase text not null, -- as RebuildPhase; "finished" for an index in use
      back integer not null,
      serial integer not null,
      instant integer, -- milliseconds, as all times
      reached integer not null,
      exported text,
      objects integer not null,
      started integer, -- of a rebuild
      advanced integer not null,
      failure text
    ) strict;
    create table object (
      id integer primary key,
      type integer not null, -- display order
      key text not null,
      revision integer not null,
      serial integer not null,
      created integer,
      modified integer not null,
      first blob, -- ends of the range (positions.ts)
      last blob,
      node blob,
      origin text,
      org text, -- of an object with a range
      name text,
      person_name text,
      descr text, -- of an object without a name
      irts text, -- JSON
      terms blob not null, -- what rows of term, word and host the object has
      words blob not null,
      hosts text, -- JSON
      tags text, -- JSON
      text text not null, -- packed
      shown_key text, -- null if it is the key in upper case
      shown_text text, -- packed; null if it is the text
      handles text -- with a line feed between them; null if nothing is prepared
    ) strict;
    create table node_length (
      type integer not null,
      space integer not null,
      bits integer not null,
      primary key (type, space, bits)
    ) strict, without rowid;
    ${termTables('')}
    ${termTables('_staged', 'rowid')}`);
}

/** By hash of a term or word, or by host; a host has a row for each of its domains. */
function termTables(suffix: string, key = ''): string {
  const primary = (columns: string) => (key ? '' : `, primary key (${columns})`);
  const end = key ? 'strict' : 'strict, without rowid';
  return `
    create table term${suffix} (hash integer not null, place blob not null, id integer not null
      ${primary('hash, place, id')}) ${end};
    create table word${suffix} (hash integer not null, rank integer not null, type integer not null, id integer not null
      ${primary('hash, rank, type, id')}) ${end};
    create table host${suffix} (host text not null, key text not null, id integer not null
      ${primary('host, key')}) ${end};`;
}

/** The steps that make a filled file an index; each survives the process. */
export const indexSteps: readonly string[] = [
  ...['term (hash, place, id)', 'word (hash, rank, type, id)', 'host (host, key, id)'].flatMap((target) => {
    const [name, columns] = target.split(/ (?=\()/) as [string, string];
    const list = columns.slice(1, -1);
    return [
      `begin immediate;
       insert or ignore into ${name} (${list}) select ${list} from ${name}_staged order by ${list};
       delete from ${name}_staged;
       commit`,
    ];
  }),
  'create unique index if not exists object_key on object (type, key)',
  'create index if not exists object_address on object (type, first, last desc, key) where first is not null',
  'create index if not exists object_node on object (node, first, last desc) where node is not null',
  'create index if not exists object_org on object (org, type, first, last desc, key) where org is not null',
  'create index if not exists object_name on object (type, name, key) where name is not null',
  'create index if not exists object_person_name on object (type, person_name, key) where person_name is not null',
];

export function typeNumber(type: ObjectTypeName): number {
  return objectType(type)!.displayOrder;
}

const typesByNumber = new Map(objectTypeNames.map((type) => [typeNumber(type), type]));

export function typeOf(number: number): ObjectTypeName {
  return typesByNumber.get(number)!;
}

/** The columns of an object that readers get. */
const objectColumns = 'key, revision, serial, created, modified, tags, text, shown_key, shown_text, handles';

type ObjectRow = [
  key: string,
  revision: number,
  serial: number,
  created: number | null,
  modified: number,
  tags: string | null,
  text: string,
  shownKey: string | null,
  shownText: string | null,
  handles: string | null,
];

const noTags: readonly Tag[] = [];
const noHandles: readonly string[] = [];

function indexedObject(source: string, type: ObjectTypeName, row: ObjectRow): IndexedObject {
  const [key, revision, serial, createdMs, modifiedMs, tags, packed, shownKey, shownText, handles] = row;
  const created = createdMs === null ? undefined : new Date(createdMs);
  const modified = new Date(modifiedMs);
  const beside = { source, key, created, modified };
  return {
    source,
    type,
    key,
    text: unpackText(packed, beside),
    revision,
    serial: BigInt(serial),
    ...(created && { created }),
    modified,
    tags: tags === null ? noTags : JSON.parse(tags),
    ...(handles !== null && {
      shown: {
        key: shownKey ?? key.toUpperCase(),
        ...(shownText !== null && { text: unpackText(shownText, beside) }),
        handles: handles === '' ? noHandles : handles.split('\n'),
      },
    }),
  };
}

/** How to select objects to read. */
export interface Naming<I> {
  readonly where: string;
  valuesOf(one: I): readonly SQLInputValue[];
  typeOf(one: I): ObjectTypeName;
}

/** Reads the first of the objects that together have `maximalBytes` of text, or the first one alone. */
export function readObjects<I>(
  tables: Tables,
  source: string,
  named: readonly I[],
  { where, valuesOf, typeOf }: Naming<I>,
): { objects: IndexedObject[]; read: number } {
  const text = `select ${objectColumns} from object where ${where}`;
  const objects: IndexedObject[] = [];
  let characters = 0;
  for (const [at, one] of named.entries()) {
    const row = tables.row<ObjectRow>(text, ...valuesOf(one));
    if (row === undefined) continue;
    const object = indexedObject(source, typeOf(one), row);
    characters += object.text.length;
    if (characters > maximalBytes && objects.length > 0) return { objects, read: at };
    objects.push(object);
  }
  return { objects, read: named.length };
}

const serialText = 'select serial from state';

/** The serial that the tables show. */
export function serialOf(tables: Tables): bigint {
  return BigInt(tables.row<[number]>(serialText)![0]);
}
