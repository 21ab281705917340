import { type AbuseContactEntry, type AttributeEntry, type ObjectEntry, severityName } from '@cadastre/documents';
import type { Message, Tag } from '@cadastre/proto/registry';
import type { Head, ResultEntry, SearchParameters, Tail, TemplateEntry, Writer } from './whois-resources.js';
import type { GeoEntry, Geolocation, GrsSourceEntry, VersionList } from './whois-resources-schema.js';

/** An element without attributes that are `undefined`. */
interface XmlElement {
  readonly name: string;
  readonly attributes: XmlAttributes;
  /** Children or text, but not both. */
  readonly content: readonly XmlElement[] | string;
}

type XmlAttributes = Readonly<Record<string, string | number | boolean | undefined>>;

const xmlDeclaration = '<?xml version="1.0" encoding="UTF-8"?>\n';

/** Declares the namespace of links; the root always has it. */
export const xlinkNamespace = { 'xmlns:xlink': 'http://www.w3.org/1999/xlink' };

// Most values have only these characters, which need no escaping.
const special = /[^\u0020\u0021\u0023-\u0025\u0027-\u003B\u003D\u003F-\uD7FF]/;
const replaced = /[^\u0020\u0021\u0023-\u0025\u0027-\u003B\u003D\u003F-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu;

const entities: Record<string, string> = {
  '"': '&quot;',
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '\n': '&#xA;',
  '\t': '&#x9;',
};

const start = `${xmlDeclaration}<whois-resources${attributesText(xlinkNamespace)}>\n`;

/** Writes whois-resources as XML. */
export function createXmlWriter(): Writer {
  let isListOpen = false;
  const openList = () => {
    if (isListOpen) return '';
    isListOpen = true;
    return '<objects>\n';
  };
  const closeList = () => {
    if (!isListOpen) return '';
    isListOpen = false;
    return '</objects>\n';
  };
  return {
    open: (head) => start + elementsText(headElements(head)) + (head.listsObjects ? openList() : ''),
    object: (entry) => openList() + objectText(entry),
    join: openList,
    messages: (list) => closeList() + (list.length === 0 ? '' : elementText(messageList(list))),
    close: (tail) => `${closeList()}${elementsText(tailElements(tail))}</whois-resources>\n`,
  };
}

function headElements(head: Head): (XmlElement | undefined)[] {
  return [
    head.link === undefined ? undefined : xmlLocator('link', head.link),
    head.service === undefined ? undefined : element('service', { name: head.service }),
    head.parameters && searchParameters(head.parameters),
    head.templates && element('templates', {}, head.templates.map(template)),
    head.sources &&
      element(
        'sources',
        {},
        head.sources.map((source) => element('source', source)),
      ),
    head.grsSources && element('grs-sources', {}, head.grsSources.map(grsSource)),
    head.geolocation && geolocation(head.geolocation),
    head.limits &&
      element(
        'limits',
        { client: head.limits.client },
        head.limits.limit.map((limit) => element('limit', limit)),
      ),
  ];
}

/** Shows every list, even an empty one. */
function searchParameters({ inverseAttributes, client, types, flags, queries, sources }: SearchParameters): XmlElement {
  return element('parameters', {}, [
    valueList('inverse-lookup', 'inverse-attribute', 'value', inverseAttributes),
    ...(client === undefined ? [] : [element('client', {}, client)]),
    valueList('type-filters', 'type-filter', 'id', types),
    valueList('flags', 'flag', 'value', flags),
    valueList('query-strings', 'query-string', 'value', queries),
    valueList('sources', 'source', 'id', sources),
  ]);
}

function valueList(name: string, item: string, attribute: string, values: readonly string[]): XmlElement {
  return element(
    name,
    {},
    values.map((value) => element(item, { [attribute]: value })),
  );
}

function template({ type, source, attributes }: TemplateEntry): XmlElement {
  const rows = attributes.map(({ keys = [], ...one }) => element('attribute', { ...one, keys: keys.join(' ') }));
  return element('template', { type }, [element('source', { id: source }), element('attributes', {}, rows)]);
}

function grsSource({ name, id, 'grs-id': grsId, ...state }: GrsSourceEntry): XmlElement {
  return element('source', { name, id, 'grs-id': grsId, ...state });
}

function geolocation({ location = [], language = [], geofeed = [] }: Geolocation): XmlElement {
  const named = (name: string) => (one: GeoEntry) =>
    element(name, { value: one.value }, [xmlLocator('link', one.link.href)]);
  return element('geolocation-attributes', {}, [
    ...location.map(named('location')),
    ...language.map(named('language')),
    ...geofeed.map(named('geofeed')),
  ]);
}

/** Objects are the largest part of every document, so this concatenates their text instead of building elements. */
function objectText(o: ObjectEntry): string {
  const version = o.version === undefined ? '' : ` version="${o.version}"`;
  return `<object type="${escaped(o.type)}"${version}>
    ${linkText(o.link)}
    <source id="${escaped(o.source)}"/>
    <primary-key>
${primaryKeyText(o)}    </primary-key>
    <attributes>
${objectAttributesText(o.attributes)}    </attributes>
${elementsText(annotations(o), '    ')}</object>
`;
}

function linkText(href: string): string {
  return `<link xlink:type="locator" xlink:href="${escaped(href)}"/>`;
}

function primaryKeyText(o: ObjectEntry): string {
  let text = '';
  for (const { name, value } of o.primaryKey) {
    text += `        <attribute name="${escaped(name)}" value="${escaped(value)}"/>\n`;
  }
  return text;
}

function objectAttributesText(attributes: readonly AttributeEntry[]): string {
  let text = '';
  for (const { name, value, reference, comment, managed } of attributes) {
    text += `        <attribute name="${escaped(name)}" value="${escaped(value)}"`;
    if (reference !== undefined) text += ` referenced-type="${reference.type}"`;
    if (comment !== undefined) text += ` comment="${escaped(comment)}"`;
    if (managed) text += ' managed="true"';
    text += reference === undefined ? '/>\n' : `>\n            ${linkText(reference.href)}\n        </attribute>\n`;
  }
  return text;
}

/** Elements that few objects have. */
function annotations(o: ObjectEntry): (XmlElement | undefined)[] {
  return [
    o.tags.length === 0 ? undefined : element('tags', {}, o.tags.map(tag)),
    o.resourceHolder && element('resource-holder', o.resourceHolder),
    o.abuseContact && xmlAbuseContact('abuse-contact', o.abuseContact),
    o.managed === undefined ? undefined : element('managed', {}, String(o.managed)),
    o.messages && o.messages.length > 0 ? messageList(o.messages, 'objectmessage') : undefined,
  ];
}

function tag({ id, data }: Tag): XmlElement {
  return element('tag', { id, data: data === '' ? undefined : data });
}

function messageList(list: readonly Message[], name = 'errormessage'): XmlElement {
  return element(
    `${name}s`,
    {},
    list.map((one) => message(one, name)),
  );
}

function message({ severity, attribute, text, args }: Message, name: string): XmlElement {
  return element(name, { severity: severityName(severity), text }, [
    ...(attribute ? [element('attribute', { name: attribute.name, value: attribute.value })] : []),
    ...args.map((value) => element('args', { value })),
  ]);
}

function tailElements({ results, versions, terms, version }: Tail): (XmlElement | undefined)[] {
  return [
    results && element('results', {}, results.map(result)),
    versions && element('versions', { type: versions.type, key: versions.key }, versions.version.map(versionEntry)),
    terms === undefined ? undefined : xmlLocator('terms-and-conditions', terms),
    version && element('version', version),
  ];
}

function result({ outcome, object, messages }: ResultEntry): XmlElement {
  return element('result', { outcome, object }, messages.length > 0 ? [messageList(messages, 'objectmessage')] : []);
}

function versionEntry({ revision, date, operation, reason }: VersionList['version'][number]): XmlElement {
  return element('version', {}, [
    element('revision', {}, String(revision)),
    element('date', {}, date),
    element('operation', {}, operation),
    ...(reason === undefined ? [] : [element('reason', {}, reason)]),
  ]);
}

/** A link. */
export function xmlLocator(name: string, href: string): XmlElement {
  return element(name, { 'xlink:type': 'locator', 'xlink:href': href });
}

/** An abuse contact. */
export function xmlAbuseContact(name: string, { key, email, suspect, orgId }: AbuseContactEntry): XmlElement {
  return element(name, { key, email, suspect, 'org-id': orgId });
}

/** A document with this root. */
export function xmlDocument(root: XmlElement): string {
  return xmlDeclaration + elementText(root);
}

/** Makes an element. */
export function element(name: string, attributes: XmlAttributes, content: XmlElement['content'] = []): XmlElement {
  return { name, attributes, content };
}

/** An element as text: each child on its own line, four spaces per level. */
function elementText({ name, attributes, content }: XmlElement, indent = ''): string {
  const start = `${indent}<${name}${attributesText(attributes)}`;
  if (content.length === 0) return `${start}/>\n`;
  if (typeof content === 'string') return `${start}>${escaped(content)}</${name}>\n`;
  return `${start}>\n${elementsText(content, `${indent}    `)}${indent}</${name}>\n`;
}

function elementsText(elements: readonly (XmlElement | undefined)[], indent = ''): string {
  let text = '';
  for (const one of elements) if (one !== undefined) text += elementText(one, indent);
  return text;
}

function attributesText(attributes: XmlAttributes): string {
  let text = '';
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== undefined) text += ` ${name}="${escaped(String(value))}"`;
  }
  return text;
}

/** Text for an XML attribute or element. Drops CR and characters that XML 1.0 does not allow. */
function escaped(text: string): string {
  return special.test(text) ? text.replace(replaced, (character) => entities[character] ?? '') : text;
}
