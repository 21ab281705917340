import type { AbuseContact, FoundObject } from '@cadastre/proto/search';
import type { Form } from '@cadastre/query';
import {
  type Attribute,
  attributeType,
  cleanValue,
  keyAttributesOf,
  parseObject,
  type RpslObject,
  valuesOf,
} from '@cadastre/rpsl';

/** An object of an answer, with the empty line that ends it; empty when its format shows nothing of the object. */
export function objectBlock({ object, abuseContact, related }: FoundObject, form: Form): string {
  const { text = '' } = object ?? {};
  if (form === 'full') return `${text}\n`;
  const parsed = parseObject(text);
  if (!parsed.ok) return `${text}\n`;
  const lines = linesOf(parsed.object, form, related ? undefined : abuseContact);
  return lines === '' ? '' : `${lines}\n`;
}

function linesOf(object: RpslObject, form: Exclude<Form, 'full'>, abuseContact: AbuseContact | undefined): string {
  switch (form) {
    case 'brief':
      return object.attributes.map(briefLine).join('');
    case 'keys':
      return keyLines(object);
    case 'abuse-contacts':
      return abuseLines(object, abuseContact);
  }
}

/** `*in: 192.0.2.0 - 192.0.2.255`: a short name and the value as stored. Continuation lines begin with "+". */
function briefLine({ name, raw }: Attribute): string {
  const short = attributeType(name)?.shortName;
  const [first = '', ...more] = raw.split('\n').map((part, at) => (at === 0 ? part : part.slice(1)).trim());
  const lines = [`${short === undefined ? name : `*${short}`}: ${first}`, ...more.map((part) => `+    ${part}`)];
  return lines.map((one) => `${one.trimEnd()}\n`).join('');
}

const memberNames: readonly string[] = ['members', 'mp-members'];

/** The attributes of the key, and the members of sets. */
function keyLines(object: RpslObject): string {
  const members = object.attributes.filter(({ name }) => memberNames.includes(name));
  const all = [...keyAttributesOf(object), ...members.map((one) => ({ name: one.name, value: cleanValue(one) }))];
  return all.map(({ name, value }) => line(name, value)).join('');
}

/** A resource by its key and abuse mailboxes; any other object by its own mailboxes. */
function abuseLines(object: RpslObject, contact: AbuseContact | undefined): string {
  const mailboxes = contact === undefined ? valuesOf(object, 'abuse-mailbox') : [contact.email];
  const key = object.type === 'irt' ? [] : keyAttributesOf(object).map(({ name, value }) => line(name, value));
  return [...key, ...mailboxes.map((mailbox) => line('abuse-mailbox', mailbox))].join('');
}

function line(name: string, value: string): string {
  return `${`${name}:`.padEnd(16)}${value}\n`;
}
