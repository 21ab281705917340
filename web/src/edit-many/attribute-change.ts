import { attributeType, cleanValue, listValues, objectType, replaceValue } from '@cadastre/rpsl';
import { add, change, type Draft, drop, type Row, useOf } from '../edit/draft.js';

/** The effect of a change on the values of an attribute. */
export type Operation = 'replace' | 'add' | 'remove' | 'clear' | 'set';

/** A change of one attribute, for objects of any type. */
export interface AttributeChange {
  readonly operation: Operation;
  /** Empty before one is chosen. */
  readonly attribute: string;
  /** The value to replace or remove. */
  readonly from: string;
  /** The value to add or set, or that replaces the other one. */
  readonly to: string;
}

export const noChange: AttributeChange = { operation: 'replace', attribute: '', from: '', to: '' };

/** Whether the user has specified everything that the change needs. */
export function isComplete({ operation, attribute, from, to }: AttributeChange): boolean {
  if (attribute === '') return false;
  const needsFrom = operation === 'replace' || operation === 'remove';
  const needsTo = operation !== 'remove' && operation !== 'clear';
  return (!needsFrom || from !== '') && (!needsTo || to.trim() !== '');
}

/** An object after a change, or why the change does not apply. */
export type Changed = { readonly draft: Draft } | { readonly unchanged: string };

/** Applies a change to an object. Values are compared without comments and letter case; elements of lists are values. */
export function changed(draft: Draft, { operation, attribute, from, to }: AttributeChange): Changed {
  const use = useOf(draft, attribute);
  if (use === undefined) return { unchanged: `Objects of type ${draft.type} have no “${attribute}”.` };
  const rows = draft.rows.filter(({ name, offered }) => name === attribute && !offered);
  const value = to.trim();
  switch (operation) {
    case 'replace':
      return withReplaced(draft, rows, { attribute, from, to: [value] });
    case 'remove':
      return withReplaced(draft, rows, { attribute, from, to: [] });
    case 'clear':
      if (rows.length === 0) return { unchanged: `It has no “${attribute}”.` };
      return { draft: rows.reduce((after, { id }) => drop(after, id), draft) };
    case 'add':
      if (holds(rows, value)) return { unchanged: 'It has this value already.' };
      if (use.cardinality === 'single' && rows.length > 0) {
        return { unchanged: `It can have only one “${attribute}”, and has ${valuesIn(rows).join(', ')}.` };
      }
      return { draft: withValue(draft, attribute, value) };
    case 'set':
      return withOnly(draft, rows, attribute, value);
  }
}

/** Replaces one value with others; does not repeat values that the object already has. */
function withReplaced(
  draft: Draft,
  rows: readonly Row[],
  { attribute, from, to }: { readonly attribute: string; readonly from: string; readonly to: readonly string[] },
): Changed {
  const having = rows.filter((row) => holds([row], from));
  if (having.length === 0) return { unchanged: `It has no “${attribute}: ${from}”.` };
  const added = to.filter((value) => isSame(value, from) || !holds(rows, value));
  const changedRows = having.reduce((after, row, index) => {
    const instead = index === 0 ? added : [];
    return withValues(
      after,
      row,
      valuesOf(row).flatMap((value) => (isSame(value, from) ? instead : [value])),
    );
  }, draft);
  return { draft: changedRows };
}

function withOnly(draft: Draft, rows: readonly Row[], attribute: string, value: string): Changed {
  const [first, ...others] = rows;
  if (first === undefined) return { draft: withValue(draft, attribute, value) };
  if (others.length === 0 && isSame(first.value, value)) return { unchanged: 'It has this value already.' };
  return { draft: others.reduce((after, { id }) => drop(after, id), change(draft, first.id, value)) };
}

function withValue(draft: Draft, attribute: string, value: string): Draft {
  const longer = add(draft, attribute);
  return change(longer, Math.max(...longer.rows.map(({ id }) => id)), value);
}

/** Writes a row with other values and its comment; without values, removes it. */
function withValues(draft: Draft, row: Row, values: readonly string[]): Draft {
  if (values.length === 0) return drop(draft, row.id);
  return change(draft, row.id, replaceValue(asAttribute(row), values.join(', ')).raw.trim());
}

/** The values of an attribute in objects, with the number of objects that have each, frequent ones first. */
export function valuesInUse(drafts: readonly Draft[], attribute: string): { value: string; objects: number }[] {
  const counts = new Map<string, { value: string; objects: number }>();
  for (const { rows } of drafts) {
    const values = valuesIn(rows.filter(({ name, offered }) => name === attribute && !offered));
    for (const [folded, value] of new Map(values.map((written) => [written.toLowerCase(), written]))) {
      counts.set(folded, { value, objects: (counts.get(folded)?.objects ?? 0) + 1 });
    }
  }
  return [...counts.values()].sort((a, b) => b.objects - a.objects || a.value.localeCompare(b.value));
}

/** The attributes that a user may change in objects of these types: not keys, the source, nor generated attributes. */
export function changeableAttributes(types: readonly string[]): string[] {
  const names = types.flatMap((type) => {
    const known = objectType(type);
    const keys: readonly string[] = known?.keyAttributes ?? [];
    return (known?.attributes ?? [])
      .filter(({ requirement }) => requirement !== 'generated')
      .map(({ name }) => name)
      .filter((name, index) => index > 0 && !keys.includes(name) && name !== 'source');
  });
  return [...new Set(names)].sort();
}

function valuesIn(rows: readonly Row[]): string[] {
  return rows.flatMap(valuesOf).filter((value) => value !== '');
}

function valuesOf(row: Row): string[] {
  return attributeType(row.name)?.list ? listValues(asAttribute(row)) : [cleanValue(asAttribute(row))];
}

function asAttribute({ name, value }: Row) {
  return { name, raw: value };
}

function holds(rows: readonly Row[], value: string): boolean {
  return rows.some((row) => valuesOf(row).some((own) => isSame(own, value)));
}

function isSame(value: string, other: string): boolean {
  return value.toLowerCase() === other.trim().replace(/\s+/g, ' ').toLowerCase();
}
