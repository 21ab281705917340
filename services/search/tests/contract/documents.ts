import type { Range } from '@cadastre/query';
import type { ObjectTypeName } from '@cadastre/rpsl';
import type { IndexDocument, IndexedObject, ObjectId, Rebuild, SearchIndex, TypeQuery } from '../../src/index-port.js';

/** The fields of a document that a test sets; the others get defaults. */
export interface Fields {
  source: string;
  type: ObjectTypeName;
  key: string;
  terms?: string[];
  hosts?: string[];
  words?: Map<string, number>;
  name?: string;
  personName?: string;
  descr?: string;
  range?: Range;
  origin?: string;
  serial?: bigint;
  text?: string;
}

export function document(fields: Fields): IndexDocument {
  const serial = fields.serial ?? 1n;
  return {
    terms: [],
    hosts: [],
    words: new Map(),
    text: `${fields.type}: ${fields.key}\nremarks: caf\u00e9\n`,
    revision: Number(serial),
    modified: new Date('2026-01-02T03:04:05.000Z'),
    tags: [],
    ...fields,
    serial,
  };
}

/** 32-bit number of a dotted address, as in the tables of queries.md. */
export function ipv4(address: string): bigint {
  return address.split('.').reduce((sum, octet) => sum * 256n + BigInt(octet), 0n);
}

export function ipv4Range(first: string, last: string): Range {
  return { space: 'ipv4', first: ipv4(first), last: ipv4(last) };
}

/** `2001:db8:<group>::/48` for prefixLength 48, or a shorter or longer one. */
export function ipv6Prefix(group: bigint, prefixLength: bigint): Range {
  const size = 1n << (128n - prefixLength);
  const first = ((0x20010db8n << 96n) | (group << 80n)) & ~(size - 1n);
  return { space: 'ipv6', first, last: first + size - 1n };
}

export async function pages(index: SearchIndex, source: string, ...queries: TypeQuery[]) {
  const all: (readonly IndexedObject[])[] = [];
  const matches = await index.query(source, queries, new AbortController().signal);
  for await (const page of matches?.pages ?? []) all.push(page);
  return all;
}

/** Keys of all matches, in order. */
export async function keys(index: SearchIndex, source: string, ...queries: TypeQuery[]): Promise<string[]> {
  return (await pages(index, source, ...queries)).flat().map((one) => one.key);
}

/** Adds documents to an empty source. */
export async function fill(index: SearchIndex, source: string, documents: IndexDocument[]): Promise<void> {
  await index.apply(source, { after: 0n, documents, deletions: [], serial: 1n });
}

/** Adds documents to the copy of a rebuild after its export. */
export async function add(rebuild: Rebuild, documents: IndexDocument[]): Promise<void> {
  await rebuild.apply({ documents, deletions: [], serial: 1n });
}

/** Objects by key, read in parts, in the requested order; undefined for missing ones. */
export async function load(index: SearchIndex, ids: readonly ObjectId[]): Promise<(IndexedObject | undefined)[]> {
  const nameOf = ({ source, type, key }: ObjectId) => `${source} ${type} ${key}`;
  const loaded = new Map<string, IndexedObject>();
  for (let left = [...new Map(ids.map((id) => [nameOf(id), id])).values()]; left.length > 0; ) {
    const { objects, later } = await index.load(left);
    for (const object of objects) loaded.set(nameOf(object), object);
    left = [...later];
  }
  return ids.map((id) => loaded.get(nameOf(id)));
}
