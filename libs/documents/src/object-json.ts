import { type Message, Severity, type Tag } from '@cadastre/proto/registry';
import type { AbuseContactEntry, AttributeEntry, ObjectEntry } from './object-entry.js';

/** The document omits members that are `undefined`. */
export type Members = Readonly<Record<string, unknown>>;

/** One object, as in a document. */
export function objectJson(entry: ObjectEntry): string {
  return JSON.stringify(objectMembers(entry));
}

function objectMembers(o: ObjectEntry): Members {
  return {
    type: o.type,
    link: jsonLocator(o.link),
    source: { id: o.source },
    'primary-key': { attribute: o.primaryKey },
    attributes: { attribute: o.attributes.map(attribute) },
    tags: o.tags.length === 0 ? undefined : { tag: o.tags.map(tag) },
    'resource-holder': o.resourceHolder,
    'abuse-contact': o.abuseContact && jsonAbuseContact(o.abuseContact),
    managed: o.managed,
    objectmessages: o.messages && o.messages.length > 0 ? messageList(o.messages, 'objectmessage') : undefined,
    version: o.version,
  };
}

function attribute({ name, value, reference, comment, managed }: AttributeEntry): Members {
  return {
    link: reference && jsonLocator(reference.href),
    name,
    value,
    'referenced-type': reference?.type,
    managed,
    comment,
  };
}

function tag({ id, data }: Tag): Members {
  return { id, data: data === '' ? undefined : data };
}

/** A list of messages as a member with this name. */
export function messageList(list: readonly Message[], name = 'errormessage'): Members {
  return { [name]: list.map(message) };
}

function message({ severity, attribute, text, args }: Message): Members {
  return {
    severity: severityName(severity),
    attribute: attribute && { name: attribute.name, value: attribute.value },
    text,
    args: unlessEmpty(args)?.map((value) => ({ value })),
  };
}

function unlessEmpty<T>(list: readonly T[]): readonly T[] | undefined {
  return list.length === 0 ? undefined : list;
}

export function jsonLocator(href: string): Members {
  return { type: 'locator', href };
}

export function jsonAbuseContact({ key, email, suspect, orgId }: AbuseContactEntry): Members {
  return { key, email, suspect, 'org-id': orgId };
}

/** The name of a severity in responses. */
export function severityName(severity: Severity): string {
  if (severity === Severity.SEVERITY_WARNING) return 'Warning';
  return severity === Severity.SEVERITY_INFO ? 'Info' : 'Error';
}
