import type { Tag } from '@cadastre/proto/registry';
import type { AbuseContactEntry, AttributeEntry, ObjectEntry } from './resource.js';
import { xmlMessages } from './xml-messages.js';
import { type XmlElement, xmlElement, xmlText } from './xml-text.js';

// Objects are the bulk of every answer: their text is put together by hand.

/** An object of a list of objects. */
export function objectText(o: ObjectEntry): string {
  const version = o.version === undefined ? '' : ` version="${o.version}"`;
  return `<object type="${xmlText(o.type)}"${version}>
    ${linkText(o.link)}
    <source id="${xmlText(o.source)}"/>
    <primary-key>
${primaryKeyText(o)}    </primary-key>
    <attributes>
${attributesText(o.attributes)}    </attributes>
${annotationsText(o)}</object>
`;
}

function linkText(href: string): string {
  return `<link xlink:type="locator" xlink:href="${xmlText(href)}"/>`;
}

function primaryKeyText(o: ObjectEntry): string {
  let text = '';
  for (const { name, value } of o.primaryKey) {
    text += `        <attribute name="${xmlText(name)}" value="${xmlText(value)}"/>\n`;
  }
  return text;
}

function attributesText(attributes: readonly AttributeEntry[]): string {
  let text = '';
  for (const { name, value, reference, comment, managed } of attributes) {
    text += `        <attribute name="${xmlText(name)}" value="${xmlText(value)}"`;
    if (reference !== undefined) text += ` referenced-type="${reference.type}"`;
    if (comment !== undefined) text += ` comment="${xmlText(comment)}"`;
    if (managed) text += ' managed="true"';
    text += reference === undefined ? '/>\n' : `>\n            ${linkText(reference.href)}\n        </attribute>\n`;
  }
  return text;
}

/** What few objects have: speed does not matter here. */
function annotationsText(o: ObjectEntry): string {
  let text = '';
  for (const element of annotations(o)) text += xmlElement(element, '    ');
  return text;
}

function annotations(o: ObjectEntry): XmlElement[] {
  const elements: XmlElement[] = [];
  if (o.tags.length > 0) elements.push({ name: 'tags', children: o.tags.map(tagElement) });
  if (o.resourceHolder) {
    const { key, name } = o.resourceHolder;
    elements.push({ name: 'resource-holder', attributes: Object.entries({ key, name }) });
  }
  if (o.abuseContact) {
    elements.push({ name: 'abuse-contact', attributes: abuseContactAttributes(o.abuseContact) });
  }
  if (o.managed !== undefined) elements.push({ name: 'managed', text: String(o.managed) });
  if (o.messages && o.messages.length > 0) elements.push(xmlMessages(o.messages, 'objectmessage'));
  return elements;
}

function tagElement({ id, data }: Tag): XmlElement {
  return { name: 'tag', attributes: Object.entries(data === '' ? { id } : { id, data }) };
}

/** The attributes of an element that shows an abuse contact. */
export function abuseContactAttributes({ key, email, suspect, orgId }: AbuseContactEntry): [string, string][] {
  const always = { key, email, suspect: String(suspect) };
  return Object.entries(orgId === undefined ? always : { ...always, 'org-id': orgId });
}
