import type { SubmittedAttribute, SubmittedObject } from '@cadastre/proto/objects';
import { Refusal } from '../errors.js';
import { messages } from '../messages.js';

/** An attribute as a body holds it; what is absent was not there. */
export interface BodyAttribute {
  readonly name?: string;
  readonly value?: string;
  readonly comment?: string;
}

/** The attributes of each object of a body, in order. Nothing else of a body counts. */
export type BodyObjects = readonly (readonly BodyAttribute[])[];

/** Bounds on what a body may hold. */
export interface BodyLimits {
  readonly objects: number;
  /** Attributes of all objects together. */
  readonly attributes: number;
  /** How deep elements or values may be nested. */
  readonly depth: number;
}

/** The only object of a body. Throws a Refusal (400) when there is none or more than one, or it cannot be mapped. */
export function singleObject(objects: BodyObjects): SubmittedObject {
  const [first, ...more] = objects;
  if (first === undefined || more.length > 0) throw new Refusal(400, messages.singleObjectExpected(objects.length));
  return submittedObject(first);
}

/** An object for the objects service. Throws a Refusal (400) with everything that is wrong with its mapping. */
export function submittedObject(attributes: readonly BodyAttribute[]): SubmittedObject {
  if (attributes.length === 0) throw new Refusal(400, messages.noAttributes());
  const faults = attributes.flatMap(faultsOf);
  if (faults.length > 0) throw new Refusal(400, faults);
  return { attributes: attributes.map(submittedAttribute) };
}

function faultsOf({ name, value, comment }: BodyAttribute) {
  if (name === undefined || name.trim() === '') return [messages.attributeWithoutName()];
  if (!isName(name)) return [messages.unknownAttribute(name)];
  if (value === undefined) return [messages.attributeWithoutValue(name.trim())];
  const commentedTwice = comment !== undefined && comment.trim() !== '' && hasComment(name.trim(), value);
  return commentedTwice ? [messages.commentTwice(name.trim())] : [];
}

/** A name that could end its line or its attribute would smuggle others in. */
function isName(name: string): boolean {
  return /^\*?[a-z0-9_-]+$/i.test(name.trim());
}

/** In the URI of a "contact" attribute, "#" starts a comment only after white space. */
function hasComment(name: string, value: string): boolean {
  return /^(contact|\*?con)$/i.test(name) ? /\s#/.test(value) : value.includes('#');
}

function submittedAttribute({ name = '', value = '', comment = '' }: BodyAttribute): SubmittedAttribute {
  const remark = comment.replace(/[\r\n]+/g, ' ').trim();
  return { name: name.trim(), value: continued(remark === '' ? value : `${value} # ${remark}`) };
}

/** Every line after the first is made a continuation line, so that no line of a value becomes an attribute. */
function continued(value: string): string {
  if (!/[\r\n]/.test(value)) return value;
  const [first = '', ...others] = value.split(/\r\n|\r|\n/);
  return [first, ...others.map(continuationLine)].join('\n');
}

function continuationLine(line: string): string {
  if (line.trim() === '') return '+';
  return /^[ \t+]/.test(line) ? line : ` ${line}`;
}
