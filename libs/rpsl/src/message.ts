import { attributeText } from './layout.js';
import type { Attribute } from './object.js';

export type Severity = 'error' | 'warning' | 'info';

/** One violation or notice. Clients match on the template and fill in the arguments themselves (decision F6). */
export interface Message {
  readonly severity: Severity;
  /** Template with `%s`, `%d` and `%%`. */
  readonly text: string;
  /** One value per placeholder, in order. */
  readonly args: readonly string[];
  /** The attribute of the message; the value is the text after the colon as printed. */
  readonly attribute?: { readonly name: string; readonly value: string };
  /** Index of that attribute in the submitted object. */
  readonly attributeIndex?: number;
}

/** An attribute and its position in the submitted object. */
export interface Place {
  readonly attribute: Attribute;
  readonly index?: number;
}

/** Maximum number of characters of an argument, name or value in a message. */
const maxShown = 1000;

/** Values for placeholders; numbers are shown as decimal text. */
type Values = readonly (string | number)[];

function message(severity: Severity, text: string, given: Values, place?: Place): Message {
  const args = given.map((one) => cut(String(one)));
  if (place === undefined) return { severity, text, args };
  const { name, raw } = place.attribute;
  const attribute = { name: cut(name), value: attributeText({ name, raw: cut(raw) }) };
  return place.index === undefined
    ? { severity, text, args, attribute }
    : { severity, text, args, attribute, attributeIndex: place.index };
}

function cut(text: string): string {
  return text.length <= maxShown ? text : `${text.slice(0, maxShown)}...`;
}

/** Limits of the messages about one object. */
const maxMessages = 100;
const maxCharacters = 50_000;

/** The first messages, up to the maximum of a reply, then one with the number of the others. */
export function firstMessages(messages: readonly Message[]): Message[] {
  let characters = 0;
  const end = messages.findIndex((one, index) => {
    characters += one.text.length + one.args.join('').length + (one.attribute?.value.length ?? 0);
    return index >= maxMessages || characters > maxCharacters;
  });
  return end < 0
    ? [...messages]
    : [...messages.slice(0, end), info('%d further messages are left out', [messages.length - end])];
}

export function error(text: string, args: Values = [], place?: Place): Message {
  return message('error', text, args, place);
}

export function warning(text: string, args: Values = [], place?: Place): Message {
  return message('warning', text, args, place);
}

export function info(text: string, args: Values = [], place?: Place): Message {
  return message('info', text, args, place);
}

/** Fills the arguments into the template, like printf. A missing argument leaves its placeholder. */
export function formatMessage(m: Pick<Message, 'text' | 'args'>): string {
  let next = 0;
  return m.text.replace(/%[sd%]/g, (placeholder) => (placeholder === '%%' ? '%' : (m.args[next++] ?? placeholder)));
}

const severityOrder: Record<Severity, number> = { error: 0, warning: 1, info: 2 };

/**
 * Sorts messages: errors, warnings, infos; inside each, messages about the whole object first, then by attribute
 * position. Otherwise keeps the order. Drops duplicates.
 */
export function sortMessages(messages: readonly Message[]): Message[] {
  const distinct = new Map(messages.map((m) => [identity(m), m]));
  return [...distinct.values()].sort(compare);
}

function identity(m: Message): string {
  return JSON.stringify([m.severity, m.text, m.args, m.attribute?.name, m.attribute?.value, m.attributeIndex]);
}

function compare(a: Message, b: Message): number {
  return severityOrder[a.severity] - severityOrder[b.severity] || position(a) - position(b);
}

function position(m: Message): number {
  if (m.attribute === undefined) return -1;
  return m.attributeIndex ?? Number.MAX_SAFE_INTEGER;
}
