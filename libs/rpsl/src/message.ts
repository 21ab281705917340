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
  /** The attribute that the message is about; the value is the text after the colon as printed. */
  readonly attribute?: { readonly name: string; readonly value: string };
  /** Index of that attribute in the submitted object. */
  readonly attributeIndex?: number;
}

/** The attribute that a message is about, and where it stands in the submitted object. */
export interface Place {
  readonly attribute: Attribute;
  readonly index?: number;
}

function message(severity: Severity, text: string, args: readonly string[], place?: Place): Message {
  if (place === undefined) {
    return { severity, text, args };
  }
  const attribute = { name: place.attribute.name, value: attributeText(place.attribute) };
  return place.index === undefined
    ? { severity, text, args, attribute }
    : { severity, text, args, attribute, attributeIndex: place.index };
}

export function error(text: string, args: readonly string[] = [], place?: Place): Message {
  return message('error', text, args, place);
}

export function warning(text: string, args: readonly string[] = [], place?: Place): Message {
  return message('warning', text, args, place);
}

export function info(text: string, args: readonly string[] = [], place?: Place): Message {
  return message('info', text, args, place);
}

/** The template with its arguments filled in, as printf does. A missing argument leaves its placeholder. */
export function formatMessage(m: Pick<Message, 'text' | 'args'>): string {
  let next = 0;
  return m.text.replace(/%[sd%]/g, (placeholder) => (placeholder === '%%' ? '%' : (m.args[next++] ?? placeholder)));
}

const severityOrder: Record<Severity, number> = { error: 0, warning: 1, info: 2 };

/**
 * Errors, warnings, infos; inside each, messages about the whole object first, then by attribute position.
 * Order of arrival is kept otherwise and repeated messages are dropped.
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
  if (m.attribute === undefined) {
    return -1;
  }
  return m.attributeIndex ?? Number.MAX_SAFE_INTEGER;
}
