import { messageText, type SubmittedAttribute } from '@cadastre/client';
import { type AttributeUse, attributeText, type Message, objectType, parseObject, printObject } from '@cadastre/rpsl';

/** An attribute as written. */
export interface Written {
  readonly name: string;
  /** With its comment; lines after the first continue it. */
  readonly value: string;
}

/** One attribute of an object in the editor. */
export interface Row extends Written {
  /** Identifies the row in its draft. */
  readonly id: number;
  /** Added by the form, not by the user: counts only once it has a value. */
  readonly offered: boolean;
}

/** An object in the editor. */
export interface Draft {
  readonly type: string;
  /** In the order of the object. */
  readonly rows: readonly Row[];
}

/** Parses a text, or returns its error. Also offers the missing mandatory attributes. */
export function draftOfText(text: string): Draft | { readonly fault: string } {
  const parsed = parseObject(text);
  if (!parsed.ok) return { fault: parsed.messages.map(textOfMessage)[0] ?? 'This is not an object' };
  const { type, attributes } = parsed.object;
  const rows = attributes.map(({ name, raw }, id) => ({ id, name, value: withoutPadding(raw), offered: false }));
  return mandatoryOf(type).reduce((draft: Draft, { name }) => (has(draft, name) ? draft : add(draft, name)), {
    type,
    rows,
  });
}

function textOfMessage({ text, args }: Message): string {
  return messageText({ severity: 'Error', text, args: args.map((value) => ({ value })) });
}

/** A new object of a type with its mandatory attributes and the known values. */
export function newDraft(type: string, known: Readonly<Record<string, string>>): Draft {
  const uses = templateOf(type).filter(({ name, requirement }) => requirement === 'mandatory' || name in known);
  const rows = uses.map(({ name }, id) => ({ id, name, value: known[name] ?? '', offered: known[name] === undefined }));
  return { type, rows };
}

/** The draft as text (RPSL), without rows that were only offered. */
export function textOf(draft: Draft): string {
  return textOfAttributes(draft.type, attributesOf(draft));
}

/** The attributes of a draft, without rows that were only offered. */
export function attributesOf({ rows }: Draft): Written[] {
  return written(rows).map(({ name, value }) => ({ name, value }));
}

/** The text (RPSL) of an object with these attributes. */
export function textOfAttributes(type: string, attributes: readonly Written[]): string {
  const known = objectType(type);
  if (known === undefined) return '';
  return printObject({ type: known.name, attributes: attributes.map(({ name, value }) => ({ name, raw: value })) });
}

/** The attributes to send, without rows that were only offered and without generated attributes. */
export function submitted(draft: Draft): SubmittedAttribute[] {
  return attributesOf(byPeople(draft));
}

/** The text of an object (RPSL) without generated attributes; other texts unchanged. */
export function textByPeople(text: string): string {
  const draft = draftOfText(text);
  return 'fault' in draft ? text : textOf(byPeople(draft));
}

function byPeople(draft: Draft): Draft {
  return { ...draft, rows: draft.rows.filter(({ name }) => useOf(draft, name)?.requirement !== 'generated') };
}

/** Whether the registry omitted parts of a text (RPSL) that its reader may not see. */
export function isFilteredText(text: string): boolean {
  return /^source:.*# Filtered$/m.test(text);
}

/** Changes the value of a row. */
export function change(draft: Draft, id: number, value: string): Draft {
  return { ...draft, rows: draft.rows.map((row) => (row.id === id ? { ...row, value } : row)) };
}

/** Removes a row. */
export function drop(draft: Draft, id: number): Draft {
  return { ...draft, rows: draft.rows.filter((row) => row.id !== id) };
}

/** Adds an empty row: after the last one of its name, or else at its place in the template. */
export function add(draft: Draft, name: string): Draft {
  const order = templateOf(draft.type).map((use) => use.name as string);
  const own = order.indexOf(name);
  const last = draft.rows.findLastIndex((row) => row.name === name);
  const later = draft.rows.findIndex((row) => order.indexOf(row.name) > own);
  const at = last >= 0 ? last + 1 : later >= 0 ? later : draft.rows.length;
  const id = Math.max(0, ...draft.rows.map((row) => row.id)) + 1;
  return { ...draft, rows: draft.rows.toSpliced(at, 0, { id, name, value: '', offered: true }) };
}

/** Sets a row to the first of several pasted lines and adds rows of the same name for the others. */
export function fill(draft: Draft, id: number, [first = '', ...more]: readonly string[]): Draft {
  const at = draft.rows.findIndex((row) => row.id === id);
  const highest = Math.max(...draft.rows.map((row) => row.id));
  const { name } = draft.rows[at]!;
  const below = more.map((value, index) => ({ id: highest + 1 + index, name, value, offered: false }));
  return { ...draft, rows: change(draft, id, first).rows.toSpliced(at + 1, 0, ...below) };
}

/** The attributes that may be added to a draft. */
export function addable(draft: Draft): AttributeUse[] {
  return templateOf(draft.type).filter(
    ({ name, requirement, cardinality }) =>
      requirement !== 'generated' && (cardinality === 'multiple' || !has(draft, name)),
  );
}

/** The template line of an attribute; `undefined` when the type does not have it. */
export function useOf({ type }: Draft, name: string): AttributeUse | undefined {
  return templateOf(type).find((use) => use.name === name);
}

function has({ rows }: Draft, name: string): boolean {
  return rows.some((row) => row.name === name);
}

function templateOf(type: string): readonly AttributeUse[] {
  return objectType(type)?.attributes ?? [];
}

function mandatoryOf(type: string): AttributeUse[] {
  return templateOf(type).filter(({ requirement }) => requirement === 'mandatory');
}

/** The first attribute always counts: it determines the type. */
function written(rows: readonly Row[]): Row[] {
  return rows.filter(({ value, offered }, index) => index === 0 || !offered || value.trim() !== '');
}

/** The text after the colon, without the spaces that align it. */
function withoutPadding(raw: string): string {
  return raw.replace(/^[ \t]+/, '').trimEnd();
}

/** The value of a row as the registry prints it, for example in its messages. */
export function printedValue({ name, value }: Pick<Row, 'name' | 'value'>): string {
  return attributeText({ name, raw: value }).replace(/\s+/g, ' ').trim();
}
