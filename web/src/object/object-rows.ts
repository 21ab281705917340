import { type AddressRange, objectTypeNames } from '@cadastre/rpsl';
import type { ShownObject } from '../api/objects.js';
import type { Order } from '../design/ordered-head.js';
import type { ObjectName } from '../paths.js';
import { addressesOf, byAddress, order } from './address-space.js';

/** An object in a table. */
export interface Row {
  readonly name: ObjectName;
  /** Its netname, its name or its first description; empty without any. */
  readonly label: string;
  /** When it was changed (ISO 8601); empty if unknown. */
  readonly changed: string;
  /** Its addresses, if it has any. */
  readonly range: AddressRange | undefined;
}

/** A column that orders a table. */
export type Column = 'object' | 'name' | 'changed';

/** The rows of a table that the user chose, and their order. The parameters of an address. */
export interface RowChoice extends Order<Column> {
  /** Empty for all types. */
  readonly type: string;
  /** Words, or an address. */
  readonly find: string;
}

const labels = ['netname', 'as-name', 'org-name', 'person', 'role', 'descr', 'origin'];

/** The row of an object. */
export function rowOf({ name, attributes }: ShownObject): Row {
  const firstOf = (column: string) => attributes.find((attribute) => attribute.name === column)?.value;
  const label = labels.map(firstOf).find((value) => value !== undefined) ?? '';
  return { name, label, changed: firstOf('last-modified') ?? '', range: addressesOf(name) };
}

/** The choice that an address names. */
export function readChoice(query: URLSearchParams): RowChoice {
  const sort = query.get('sort') ?? '';
  const column = sort.replace(/^-/, '');
  return {
    type: query.get('type') ?? '',
    find: query.get('find') ?? '',
    column: column === 'object' || column === 'name' || column === 'changed' ? column : '',
    isDescending: sort.startsWith('-'),
  };
}

/** The parameters of a choice, without empty ones. */
export function writeChoice({ type, find, column, isDescending }: RowChoice): Record<string, string> {
  const sort = column && `${isDescending ? '-' : ''}${column}`;
  return { ...(type && { type }), ...(find && { find }), ...(sort && { sort }) };
}

/** Whether a search by address has the objects in the order of a choice. */
export function isOrderOfRegistry({ type, column, isDescending }: RowChoice): boolean {
  return column === 'object' && !isDescending && /^(inet6?num|route6?)$/.test(type);
}

/** The rows in an order. */
export function sortedRows(rows: readonly Row[], { column, isDescending }: Order<Column>): readonly Row[] {
  if (column === '') return rows;
  const compare = orders[column];
  return rows.toSorted(isDescending ? (a, b) => compare(b, a) : compare);
}

/** The filter of a choice, which the registry applies: undefined for none, and for a single character. */
export function filterOf({ find }: RowChoice): string | undefined {
  const text = find.trim();
  return text.length < minFilterLength ? undefined : text;
}

/** Characters of a filter. */
export const minFilterLength = 2;
export const maxFilterLength = 64;

const collator = new Intl.Collator('en', { numeric: true });

const orders: Record<Column, (a: Row, b: Row) => number> = {
  object: byObject,
  name: (a, b) => collator.compare(a.label, b.label) || byObject(a, b),
  changed: (a, b) => order(a.changed, b.changed) || byObject(a, b),
};

/** By type, then by address (larger ranges first) or by the numbers in the key. */
export function byObject(a: Row, b: Row): number {
  return typeOrder(a) - typeOrder(b) || addressOrder(a, b) || collator.compare(a.name.key, b.name.key);
}

function typeOrder({ name }: Row): number {
  return (objectTypeNames as readonly string[]).indexOf(name.type);
}

function addressOrder({ range }: Row, { range: other }: Row): number {
  return range && other ? byAddress(range, other) : 0;
}
