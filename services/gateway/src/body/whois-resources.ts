import type { SubmittedAttribute, SubmittedObject } from '@cadastre/proto/objects';
import { HttpError } from '../errors.js';
import { messages } from '../ripe-messages.js';

/** An attribute of a body, as sent. */
export interface BodyAttribute {
  readonly name?: string;
  readonly value?: string;
  readonly comment?: string;
}

/** An object of a body. */
export interface BodyObject {
  /** In order. */
  readonly attributes: readonly BodyAttribute[];
  /** The action for it; only for batches. */
  readonly action?: string;
  /** Its required state, as in the header; only for batches. */
  readonly ifMatch?: string;
  /** Requires that it does not exist, as in the header; only for batches. */
  readonly ifNoneMatch?: string;
}

/** The names in bodies of the members of an object beside its attributes. */
export const objectMembers = { action: 'action', ifMatch: 'if-match', ifNoneMatch: 'if-none-match' } as const;
export type ObjectMember = keyof typeof objectMembers;

/** The objects of a body, in order. Ignores the rest of a body. */
export type BodyObjects = readonly BodyObject[];

/** Limits on the content of a body. */
export interface BodyLimits {
  readonly objects: number;
  /** Attributes of all objects together. */
  readonly attributes: number;
  /** Levels of nested elements or values. */
  readonly depth: number;
}

/** A line end of any kind. */
export const lineEnd = /\r\n|\r|\n/;

const linesPerAttribute = 4;

/**
 * Maximum number of lines of a text of RPSL, or of the values and comments of another body, continuation lines
 * included.
 */
export function maxLines({ attributes }: Pick<BodyLimits, 'attributes'>): number {
  return attributes * linesPerAttribute;
}

/** Throws an HttpError (400) when the values and comments of all objects have too many lines. */
export function requireFewLines(objects: BodyObjects, limits: Pick<BodyLimits, 'attributes'>): void {
  const max = maxLines(limits);
  let lines = 0;
  for (const { value = '', comment = '' } of objects.flatMap(({ attributes }) => attributes)) {
    lines += linesOf(value, max) + linesOf(comment, max) - 1;
    if (lines > max) throw new HttpError(400, messages.tooManyLines(max));
  }
}

/** At most `max` + 1. */
function linesOf(text: string, max: number): number {
  return /[\r\n]/.test(text) ? text.split(lineEnd, max + 1).length : 1;
}

/** The one object of a body. Throws an HttpError (400) when there is none or more than one, or as `plainObject`. */
export function singleObject(objects: BodyObjects): SubmittedObject {
  const [first, ...more] = objects;
  if (first === undefined || more.length > 0) throw new HttpError(400, messages.singleObjectExpected(objects.length));
  return plainObject(first);
}

/**
 * An object outside a batch. Throws an HttpError (400) for a condition, because the client relies on it, and as
 * `submittedObject`.
 */
export function plainObject(object: BodyObject): SubmittedObject {
  for (const name of ['ifMatch', 'ifNoneMatch'] as const) {
    if (object[name] !== undefined) throw new HttpError(400, messages.onlyInBatches(objectMembers[name]));
  }
  return submittedObject(object);
}

/** Maximum number of faults in one response. */
const maxFaults = 100;

/** An object for the objects service. Throws an HttpError (400) that lists every attribute that cannot be mapped. */
export function submittedObject({ attributes }: BodyObject): SubmittedObject {
  if (attributes.length === 0) throw new HttpError(400, messages.noAttributes());
  const faults = attributes.flatMap(faultsOf);
  if (faults.length > 0) throw new HttpError(400, faults.slice(0, maxFaults));
  return { attributes: attributes.map(submittedAttribute) };
}

function faultsOf({ name, value, comment }: BodyAttribute) {
  if (name === undefined || name.trim() === '') return [messages.attributeWithoutName()];
  if (!isName(name)) return [messages.unknownAttribute(name)];
  if (value === undefined) return [messages.attributeWithoutValue(name.trim())];
  const commentedTwice = comment !== undefined && comment.trim() !== '' && hasComment(name.trim(), value);
  return commentedTwice ? [messages.commentTwice(name.trim())] : [];
}

/** Refuses a name that ends its line or its attribute: it would add other attributes secretly. */
function isName(name: string): boolean {
  return /^\*?[a-z0-9_-]+$/i.test(name.trim());
}

/** In the URI of a "contact" attribute, "#" begins a comment only after white space. */
function hasComment(name: string, value: string): boolean {
  return /^(contact|\*?con)$/i.test(name) ? /\s#/.test(value) : value.includes('#');
}

function submittedAttribute({ name = '', value = '', comment = '' }: BodyAttribute): SubmittedAttribute {
  const remark = comment.replace(/[\r\n]+/g, ' ').trim();
  return { name: name.trim(), value: continued(remark === '' ? value : `${value} # ${remark}`) };
}

/** Makes every line after the first a continuation line, so that no line of a value becomes an attribute. */
function continued(value: string): string {
  if (!/[\r\n]/.test(value)) return value;
  const [first = '', ...others] = value.split(lineEnd);
  return [first, ...others.map(continuationLine)].join('\n');
}

function continuationLine(line: string): string {
  if (line.trim() === '') return '+';
  return /^[ \t+]/.test(line) ? line : ` ${line}`;
}
