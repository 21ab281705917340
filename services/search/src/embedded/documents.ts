import type { SQLInputValue } from 'node:sqlite';
import { type ObjectTypeName, objectType } from '@cadastre/rpsl';
import { hash64, hashHalves } from '@cadastre/service/hash64';
import { addressTypes, type Batch, type IndexDocument } from '../index-port.js';
import { packText } from '../packed-text.js';
import {
  type Ends,
  endsOf,
  nodeAt,
  type Order,
  type SortKey,
  sharedBits,
  sortKeyByAddress,
  sortKeyByKey,
} from './positions.js';
import { type Tables, typeNumber } from './tables.js';

/** The stored form of a word. */
export function wordHash(word: string): number {
  return hashHalves(word).low;
}

/** Before a term by which the table has the objects of an inverse term once more, in the order of addresses. */
const byAddress = '@';

/** The order in which the table of terms has the objects of a term: the one that queries request. */
export function orderOfTerm(term: string): Order {
  return term.startsWith('netname=') || term.startsWith(byAddress) ? 'address' : 'key';
}

/** The term by which the table has the objects of a term in an order, if it has that. */
export function termInOrder(type: ObjectTypeName, term: string, order: Order): string {
  return order === 'address' && hasBothOrders(type, term) ? `${byAddress}${term}` : term;
}

/** Inverse lookups of networks and routes have two orders. */
function hasBothOrders(type: ObjectTypeName, term: string): boolean {
  return addressTypes.has(type) && !term.startsWith('key=') && orderOfTerm(term) === 'key';
}

/** Adds documents of objects that a copy does not have. Its terms, words and hosts are sorted later. */
export function fillCopy(tables: Tables, documents: readonly IndexDocument[]): void {
  const noteLength = lengthNoter(tables);
  const staged = {
    term: rowInserter(tables, 'term_staged', 'hash, place, id'),
    word: rowInserter(tables, 'word_staged', 'hash, rank, type, id'),
    host: rowInserter(tables, 'host_staged', 'host, key, id'),
  };
  for (const document of documents) {
    const { key } = document;
    const { id, type, row } = insertObject(tables, noteLength, document);
    const sortKeys = sortKeysOf(key, endsIn(row));
    for (const { hash, order } of termsIn(row.terms)) staged.term.add(hash, sortKeys[order], id);
    for (const { hash, rank } of wordsIn(row.words)) staged.word.add(hash, rank, type, id);
    for (const host of hostsIn(row.hosts)) staged.host.add(host, key, id);
  }
  for (const inserter of Object.values(staged)) inserter.end();
}

/** Inserts the row of an object that the tables do not have. */
function insertObject(tables: Tables, noteLength: NoteLength, document: IndexDocument) {
  const type = typeNumber(document.type);
  const row = rowOf(document, type);
  noteLength(row.node);
  return { id: tables.run(insertText, type, document.key, ...valuesOf(row)), type, row };
}

/** Rows of one statement: one for each row takes three times as long. */
const rowsAtOnce = 128;

/** Inserts rows, many with one statement. */
function rowInserter(tables: Tables, table: string, columns: string) {
  const width = columns.split(',').length;
  const placeholders = `(${Array(width).fill('?').join()})`;
  const one = `insert into ${table} (${columns}) values ${placeholders}`;
  const full = one + `, ${placeholders}`.repeat(rowsAtOnce - 1);
  let values: SQLInputValue[] = [];
  return {
    add(...row: SQLInputValue[]): void {
      values.push(...row);
      if (values.length < rowsAtOnce * width) return;
      tables.run(full, ...values);
      values = [];
    },
    end(): void {
      for (let at = 0; at < values.length; at += width) tables.run(one, ...values.slice(at, at + width));
    },
  };
}

type NoteLength = (node: Buffer | null) => void;

/** Stores which lengths nodes have, each once. */
function lengthNoter(tables: Tables): NoteLength {
  const known = new Set<string>();
  return (node) => {
    if (node === null) return;
    const [type, space, bits] = node;
    const name = `${type} ${space} ${bits}`;
    if (known.has(name)) return;
    tables.run('insert or ignore into node_length (type, space, bits) values (?, ?, ?)', type!, space!, bits!);
    known.add(name);
  };
}

function sortKeysOf(key: string, ends: Ends | null): Record<Order, SortKey> {
  const byKey = sortKeyByKey(key);
  return { key: byKey, address: ends ? sortKeyByAddress(ends, key) : byKey };
}

/** The entries of an object in the tables of terms, words and hosts, as in its row. */
interface Entries {
  /** Nine bytes for each term in each order: 1 if its position is by address, and its hash. */
  readonly terms: Buffer;
  /** Five bytes for each word: its rank and hash. */
  readonly words: Buffer;
  /** JSON; null for none. */
  readonly hosts: string | null;
}

interface Stored extends Entries {
  readonly id: number;
  readonly first: Uint8Array | null;
  readonly last: Uint8Array | null;
}

/** Applies changes; returns how many more objects there are. */
export function applyChanges(tables: Tables, { documents, deletions }: Pick<Batch, 'documents' | 'deletions'>): number {
  const noteLength = lengthNoter(tables);
  const write = (statements: typeof insert, id: number, type: number, key: string, ends: Ends | null, of: Entries) => {
    const sortKeys = sortKeysOf(key, ends);
    for (const { hash, order } of termsIn(of.terms)) tables.run(statements.term, hash, sortKeys[order], id);
    for (const { hash, rank } of wordsIn(of.words)) tables.run(statements.word, hash, rank, type, id);
    for (const host of hostsIn(of.hosts)) tables.run(statements.host, host, key, id);
  };
  const add = (document: IndexDocument) => {
    const { id, type, row } = insertObject(tables, noteLength, document);
    write(insert, id, type, document.key, endsIn(row), row);
  };
  const find = (type: number, key: string) => tables.one<Stored>(storedText, type, key);
  const replace = (document: IndexDocument, stored: Stored) => {
    const { key } = document;
    const type = typeNumber(document.type);
    const row = rowOf(document, type);
    noteLength(row.node);
    const isSame = row.terms.equals(stored.terms) && row.words.equals(stored.words) && row.hosts === stored.hosts;
    if (!isSame || !isEqual(row.first, stored.first) || !isEqual(row.last, stored.last)) {
      write(remove, stored.id, type, key, endsIn(stored), stored);
      write(insert, stored.id, type, key, endsIn(row), row);
    }
    tables.run(updateText, ...valuesOf(row), stored.id);
  };
  let gained = 0;
  for (const { type: name, key } of deletions) {
    const type = typeNumber(name);
    const stored = find(type, key);
    if (stored === undefined) continue;
    write(remove, stored.id, type, key, endsIn(stored), stored);
    tables.run('delete from object where id = ?', stored.id);
    gained--;
  }
  for (const document of documents) {
    const stored = find(typeNumber(document.type), document.key);
    if (stored !== undefined) {
      replace(document, stored);
    } else {
      add(document);
      gained++;
    }
  }
  return gained;
}

const insert = {
  term: 'insert or ignore into term (hash, place, id) values (?, ?, ?)',
  word: 'insert or ignore into word (hash, rank, type, id) values (?, ?, ?, ?)',
  host: 'insert or ignore into host (host, key, id) values (?, ?, ?)',
};
const remove = {
  term: 'delete from term where hash = ? and place = ? and id = ?',
  word: 'delete from word where hash = ? and rank = ? and type = ? and id = ?',
  host: 'delete from host where host = ? and key = ? and id = ?',
};

const columns = [
  ...['first', 'last', 'node', 'revision', 'serial', 'created', 'modified', 'origin', 'org', 'name'],
  ...['person_name', 'descr', 'irts', 'terms', 'words', 'hosts', 'tags', 'text'],
  ...['shown_key', 'shown_text', 'handles'],
] as const;
const insertText = `insert into object (type, key, ${columns.join()}) values (?, ?${', ?'.repeat(columns.length)})`;
const updateText = `update object set ${columns.map((name) => `${name} = ?`).join()} where id = ?`;
const storedText = 'select id, first, last, terms, words, hosts from object where type = ? and key = ?';

/** The columns of a document. */
function rowOf(document: IndexDocument, type: number) {
  const { text, range, terms, words, hosts, tags, shown } = document;
  const ends = range && endsOf(range);
  return {
    first: ends?.first ?? null,
    last: ends?.last ?? null,
    node: ends ? nodeAt(type, ends.first, sharedBits(ends)) : null,
    revision: document.revision,
    serial: document.serial,
    created: document.created?.getTime() ?? null,
    modified: document.modified.getTime(),
    origin: document.origin ?? null,
    org: (range && termValues(terms, 'org')[0]) ?? null,
    name: document.name ?? null,
    person_name: document.personName ?? null,
    descr: document.descr ?? null,
    irts: jsonOf(termValues(terms, 'mnt-irt')),
    terms: termEntries(document.type, terms, ends !== undefined),
    words: wordEntries(words),
    hosts: jsonOf(hosts),
    tags: jsonOf(tags),
    text: packText(text, document),
    shown_key: shown === undefined || shown.key === document.key.toUpperCase() ? null : shown.key,
    shown_text: shown?.text === undefined ? null : packText(shown.text, document),
    handles: shown?.handles.join('\n') ?? null,
  };
}

function valuesOf(row: ReturnType<typeof rowOf>) {
  return columns.map((name) => row[name as keyof typeof row]);
}

function jsonOf(list: readonly unknown[]): string | null {
  return list.length === 0 ? null : JSON.stringify(list);
}

function termEntries(type: ObjectTypeName, terms: readonly string[], hasRange: boolean): Buffer {
  const added = terms.filter((term) => hasBothOrders(type, term)).map((term) => `${byAddress}${term}`);
  const entries = Buffer.allocUnsafe((terms.length + added.length) * 9);
  let at = 0;
  for (const term of [...terms, ...added]) {
    const { high, low } = hashHalves(typedTerm(type, term));
    at = entries.writeUInt8(hasRange && orderOfTerm(term) === 'address' ? 1 : 0, at);
    at = entries.writeUInt32BE(high, at);
    at = entries.writeUInt32BE(low, at);
  }
  return entries;
}

function wordEntries(words: ReadonlyMap<string, number>): Buffer {
  const entries = Buffer.allocUnsafe(words.size * 5);
  let at = 0;
  for (const [word, rank] of words) {
    at = entries.writeUInt8(rank, at);
    at = entries.writeUInt32BE(wordHash(word), at);
  }
  return entries;
}

function* termsIn(entries: Uint8Array): Generator<{ hash: bigint; order: Order }> {
  const terms = Buffer.from(entries.buffer, entries.byteOffset, entries.byteLength);
  for (let at = 0; at < terms.length; at += 9) {
    yield { hash: terms.readBigInt64BE(at + 1), order: terms[at] === 1 ? 'address' : 'key' };
  }
}

function* wordsIn(entries: Uint8Array): Generator<{ hash: number; rank: number }> {
  const words = Buffer.from(entries.buffer, entries.byteOffset, entries.byteLength);
  for (let at = 0; at < words.length; at += 5) yield { hash: words.readUInt32BE(at + 1), rank: words[at]! };
}

function hostsIn(hosts: string | null): string[] {
  return hosts === null ? [] : JSON.parse(hosts);
}

function endsIn({ first, last }: { readonly first: Uint8Array | null; readonly last: Uint8Array | null }): Ends | null {
  return first && last && { first, last };
}

function isEqual(one: Uint8Array | null, other: Uint8Array | null): boolean {
  return one === null || other === null ? one === other : Buffer.compare(one, other) === 0;
}

/** A term with its type, so that a common term is read for one type only. */
function typedTerm(type: ObjectTypeName, term: string): string {
  return `${objectType(type)!.shortName}:${term}`;
}

/** A hash of a term with its type, as adapters store it. Two terms may have the same hash (ADR 0077). */
export function termHash(type: ObjectTypeName, term: string): bigint {
  return hash64(typedTerm(type, term));
}

function termValues(terms: readonly string[], name: string): string[] {
  return terms.filter((term) => term.startsWith(`${name}=`)).map((term) => term.slice(name.length + 1));
}

/** The types with names besides their keys, as far as suggestions show them. */
export const suggestedNames: readonly ObjectTypeName[] = ['aut-num', 'inet6num', 'inetnum', 'organisation', 'role'];
