import type { ObjectTypeName } from '@cadastre/rpsl';
import { hashHalves } from '@cadastre/service/hash64';
import type { Batch, IndexDocument } from '../index-port.js';
import { packText } from '../packed-text.js';
import { irtsOf, orgOf, termHash } from '../stored-terms.js';
import { addressPlace, type Ends, endsOf, keyPlace, nodeAt, type Order, type Place, sharedBits } from './places.js';
import { type Tables, typeNumber } from './tables.js';

/** The stored form of a word. */
export function wordHash(word: string): number {
  return hashHalves(word).low;
}

/** The order in which the table of terms has the objects of a term: the one that queries request. */
export function orderOfTerm(term: string): Order {
  return term.startsWith('netname=') ? 'address' : 'key';
}

/** Writes documents into the tables. */
export interface DocumentWriter {
  /** Adds a document whose object the tables do not have. */
  add(document: IndexDocument): void;
  /** Applies changes; returns how many more objects there are. */
  apply(changes: Pick<Batch, 'documents' | 'deletions'>): number;
}

/** The entries of an object in the tables of terms, words and hosts, as in its row. */
interface Entries {
  /** Nine bytes for each term: 1 if its position is by address, and its hash. */
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

/** While a copy is filled, terms, words and hosts go into tables with the suffix `_staged`, which are sorted later. */
export function documentWriter(tables: Tables, suffix: '' | '_staged'): DocumentWriter {
  const insert = {
    term: `insert or ignore into term${suffix} (hash, place, id) values (?, ?, ?)`,
    word: `insert or ignore into word${suffix} (hash, rank, type, id) values (?, ?, ?, ?)`,
    host: `insert or ignore into host${suffix} (host, key, id) values (?, ?, ?)`,
  };
  const knownLengths = new Set<string>();

  const write = (statements: typeof insert, id: number, type: number, key: string, ends: Ends | null, of: Entries) => {
    const places: Record<Order, Place> = {
      key: keyPlace(key),
      address: ends ? addressPlace(ends, key) : keyPlace(key),
    };
    for (const { hash, order } of termsIn(of.terms)) tables.run(statements.term, hash, places[order], id);
    for (const { hash, rank } of wordsIn(of.words)) tables.run(statements.word, hash, rank, type, id);
    for (const host of hostsIn(of.hosts)) tables.run(statements.host, host, key, id);
  };
  const noteLength = (node: Buffer | null) => {
    if (node === null) return;
    const [type, space, bits] = node;
    const name = `${type} ${space} ${bits}`;
    if (knownLengths.has(name)) return;
    tables.run('insert or ignore into node_length (type, space, bits) values (?, ?, ?)', type!, space!, bits!);
    knownLengths.add(name);
  };
  const add = (document: IndexDocument) => {
    const { key } = document;
    const type = typeNumber(document.type);
    const row = rowOf(document, type);
    noteLength(row.node);
    const id = tables.run(insertText, type, key, ...valuesOf(row));
    write(insert, id, type, key, endsIn(row), row);
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
  return {
    add,
    apply({ documents, deletions }) {
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
    },
  };
}

const remove = {
  term: 'delete from term where hash = ? and place = ? and id = ?',
  word: 'delete from word where hash = ? and rank = ? and type = ? and id = ?',
  host: 'delete from host where host = ? and key = ? and id = ?',
};

const columns = [
  ...['first', 'last', 'node', 'revision', 'serial', 'created', 'modified', 'origin', 'org', 'name'],
  ...['person_name', 'irts', 'terms', 'words', 'hosts', 'tags', 'text'],
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
    org: orgOf(document),
    name: document.name ?? null,
    person_name: document.personName ?? null,
    irts: jsonOf(irtsOf(document)),
    terms: Buffer.concat(terms.map((term) => termEntry(document.type, term, ends !== undefined))),
    words: Buffer.concat(Array.from(words, ([word, rank]) => wordEntry(word, rank))),
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

function termEntry(type: ObjectTypeName, term: string, hasRange: boolean): Buffer {
  const entry = Buffer.allocUnsafe(9);
  entry[0] = hasRange && orderOfTerm(term) === 'address' ? 1 : 0;
  entry.writeBigInt64BE(termHash(type, term), 1);
  return entry;
}

function wordEntry(word: string, rank: number): Buffer {
  const entry = Buffer.allocUnsafe(5);
  entry[0] = rank;
  entry.writeUInt32BE(wordHash(word), 1);
  return entry;
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
