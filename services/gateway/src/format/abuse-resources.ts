import { abuseContactMember } from './json-object.js';
import { type JsonObject, jsonLocator, jsonValue } from './json-text.js';
import type { AbuseContactEntry } from './resource.js';
import { textLine } from './text.js';
import type { Format } from './writer.js';
import { abuseContactAttributes } from './xml-object.js';
import { type XmlElement, xmlElement, xmlLocator } from './xml-text.js';

/** The one other document beside whois-resources: whom to write to about abuse from a resource. */
export interface AbuseResources {
  /** URL of the request. */
  readonly link: string;
  /** Key of the object that was found for the resource; it may enclose it. */
  readonly primaryKey: string;
  readonly contact: AbuseContactEntry;
  /** URL of the terms and conditions. */
  readonly terms: string;
}

/** The document in a format. */
export function renderAbuseResources(format: Format, resources: AbuseResources): string {
  if (format === 'text') return contactText(resources);
  return format === 'json' ? jsonValue(jsonResources(resources)) : xmlDocument(xmlResources(resources));
}

/** The document when there is no contact to show. */
export function renderAbuseFailure(format: Format, message: string): string {
  if (format === 'text') return message;
  if (format === 'json') return jsonValue({ message });
  return xmlDocument({ name: 'abuse-resources', attributes: [xlink], children: [{ name: 'message', text: message }] });
}

const service = 'abuse-contact';
const xlink = ['xmlns:xlink', 'http://www.w3.org/1999/xlink'] as const;

function xmlDocument(root: XmlElement): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n${xmlElement(root)}`;
}

function xmlResources({ link, primaryKey, contact, terms }: AbuseResources): XmlElement {
  const children = [
    xmlLocator('link', link),
    { name: 'parameters', children: [{ name: 'primary-key', attributes: [['value', primaryKey]] as const }] },
    { name: 'abuse-contacts', attributes: abuseContactAttributes(contact) },
    xmlLocator('terms-and-conditions', terms),
  ];
  return { name: 'abuse-resources', attributes: [['service', service], xlink], children };
}

function jsonResources({ link, primaryKey, contact, terms }: AbuseResources): JsonObject {
  return {
    service,
    link: jsonLocator(link),
    parameters: { 'primary-key': { value: primaryKey } },
    'abuse-contacts': abuseContactMember(contact),
    'terms-and-conditions': jsonLocator(terms),
  };
}

function contactText({ primaryKey, contact }: AbuseResources): string {
  const { key, email, suspect, orgId } = contact;
  const lines = [
    textLine('primary-key', primaryKey),
    textLine('key', key),
    textLine('email', email),
    textLine('suspect', String(suspect)),
  ];
  return lines.join('') + (orgId === undefined ? '' : textLine('org-id', orgId));
}
