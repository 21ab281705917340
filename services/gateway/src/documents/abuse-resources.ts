import { type AbuseContactEntry, jsonAbuseContact, jsonLocator } from '@cadastre/documents';
import { object, ref, type Schema, text } from '@cadastre/rdap/schema';
import { textLine } from './text.js';
import type { Format } from './whois-resources.js';
import { element, xlinkNamespace, xmlAbuseContact, xmlDocument, xmlLocator } from './xml.js';

/** The document of the abuse contact lookup: the address for reports of abuse from a resource. */
export interface AbuseResources {
  /** URL of the request. */
  readonly link: string;
  /** Key of the object that covers the resource. */
  readonly primaryKey: string;
  readonly contact: AbuseContactEntry;
  /** URL of the terms and conditions. */
  readonly terms: string;
}

const service = 'abuse-contact';

const renderers: Record<Format, (resources: AbuseResources) => string> = {
  xml: ({ link, primaryKey, contact, terms }) =>
    xmlDocument(
      element('abuse-resources', { service, ...xlinkNamespace }, [
        xmlLocator('link', link),
        element('parameters', {}, [element('primary-key', { value: primaryKey })]),
        xmlAbuseContact('abuse-contacts', contact),
        xmlLocator('terms-and-conditions', terms),
      ]),
    ),
  json: ({ link, primaryKey, contact, terms }) =>
    JSON.stringify({
      service,
      link: jsonLocator(link),
      parameters: { 'primary-key': { value: primaryKey } },
      'abuse-contacts': jsonAbuseContact(contact),
      'terms-and-conditions': jsonLocator(terms),
    }),
  text: ({ primaryKey, contact: { key, email, suspect, orgId } }) =>
    [
      textLine('primary-key', primaryKey),
      textLine('key', key),
      textLine('email', email),
      textLine('suspect', String(suspect)),
      orgId === undefined ? '' : textLine('org-id', orgId),
    ].join(''),
};

/** Renders the document. */
export function renderAbuseResources(format: Format, resources: AbuseResources): string {
  return renderers[format](resources);
}

/** Renders the document of a lookup that found no contact. */
export function renderAbuseError(format: Format, message: string): string {
  if (format === 'text') return message;
  if (format === 'json') return JSON.stringify({ message });
  return xmlDocument(element('abuse-resources', xlinkNamespace, [element('message', {}, message)]));
}

/** The document of abuse contacts. */
export const abuseResourcesSchemas: Readonly<Record<string, Schema>> = {
  AbuseResources: object('The abuse contact of a resource.', {
    service: text('Name of the service.', { const: 'abuse-contact' }),
    link: ref('Link'),
    parameters: object('The object that registers or encloses the resource.', {
      'primary-key': object('Its key.', {
        value: text('Key of the object that registers or encloses the resource.', {
          examples: ['192.0.2.0 - 192.0.2.255'],
        }),
      }),
    }),
    'abuse-contacts': ref('AbuseContact'),
    'terms-and-conditions': ref('Link'),
  }),
  AbuseFailure: object('The reason why there is no abuse contact.', { message: text('Text of the message.') }),
};
