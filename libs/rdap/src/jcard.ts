import { bareEmail, firstValueOf, type ObjectTypeName } from '@cadastre/rpsl';
import type { Jcard, JcardProperty } from './documents.js';
import type { ContactCard, Stored } from './registry.js';
import { filledValues } from './values.js';

/** The attribute with the name of a contact, and its kind, by type. */
const kinds: { readonly [type in ObjectTypeName]?: { readonly name: string; readonly kind: string } } = {
  person: { name: 'person', kind: 'individual' },
  role: { name: 'role', kind: 'group' },
  organisation: { name: 'org-name', kind: 'org' },
  mntner: { name: 'mntner', kind: 'group' },
  irt: { name: 'irt', kind: 'group' },
};

/** The optional parts of a jCard. */
export interface CardParts {
  /** The addresses in `e-mail`. The abuse mailbox is always shown. */
  readonly email?: boolean;
  /** The organisation that the contact belongs to. */
  readonly organisation?: Stored;
}

/** The jCard (RFC 7095) of a person, role, organisation, mntner or irt. */
export function jcardOf(stored: Stored, { email = false, organisation = stored }: CardParts = {}): Jcard {
  const { object, key } = stored;
  const { name, kind } = kinds[object.type]!;
  const properties: JcardProperty[] = [
    ['version', {}, 'text', '4.0'],
    ['fn', {}, 'text', firstValueOf(object, name) || key],
    ['kind', {}, 'text', kind],
  ];
  const organisationName = firstValueOf(organisation.object, 'org-name');
  if (organisationName) properties.push(['org', {}, 'text', organisationName]);
  const address = filledValues(stored, 'address').join('\n');
  if (address !== '') properties.push(['adr', { label: address }, 'text', ['', '', '', '', '', '', '']]);
  for (const number of filledValues(stored, 'phone')) properties.push(telephone('voice', number));
  for (const number of filledValues(stored, 'fax-no')) properties.push(telephone('fax', number));
  for (const mailbox of mailboxes(stored)) properties.push(['email', { type: 'work' }, 'text', mailbox]);
  if (email) for (const mail of ownEmails(stored)) properties.push(['email', {}, 'text', mail]);
  const place = geoUri(firstValueOf(object, 'geoloc'));
  if (place !== undefined) properties.push(['geo', {}, 'uri', place]);
  return ['vcard', properties];
}

/** The jCard of an entity as a contact: made once for all documents. */
export function contactCard(stored: Stored): ContactCard {
  const vcardArray = jcardOf(stored);
  const { length: characters } = JSON.stringify(vcardArray);
  return { vcardArray, withholdsEmail: ownEmails(stored).length > 0, characters };
}

/** The addresses for reports of abuse. */
export function mailboxes(stored: Stored): string[] {
  return addresses(stored, 'abuse-mailbox');
}

/** The addresses in `e-mail` that are not also its abuse mailbox. */
export function ownEmails(stored: Stored): string[] {
  const shown = new Set(mailboxes(stored).map((mailbox) => mailbox.toLowerCase()));
  return addresses(stored, 'e-mail').filter((mail) => !shown.has(mail.toLowerCase()));
}

function addresses(stored: Stored, attribute: string): string[] {
  return filledValues(stored, attribute).map((value) => bareEmail(value) ?? value);
}

function telephone(type: 'voice' | 'fax', number: string): JcardProperty {
  return ['tel', { type }, number.startsWith('tel:') ? 'uri' : 'text', number];
}

const position = /^(-?\d{1,3}(?:\.\d+)?) (-?\d{1,3}(?:\.\d+)?)$/;

/** `geoloc` (latitude and longitude) as a URI (RFC 5870). */
function geoUri(geoloc: string | undefined): string | undefined {
  const [, latitude, longitude] = position.exec(geoloc ?? '') ?? [];
  return latitude === undefined ? undefined : `geo:${latitude},${longitude}`;
}
