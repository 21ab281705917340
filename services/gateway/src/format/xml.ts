import type { Message } from '@cadastre/proto/registry';
import type { AttributeEntry, Head, ObjectEntry, ServerVersion, SourceEntry, Tail, TemplateEntry } from './resource.js';
import { severityName } from './severity.js';
import type { Writer } from './writer.js';
import { type XmlElement, xmlElement, xmlText } from './xml-text.js';

const start = '<?xml version="1.0" encoding="UTF-8"?>\n<whois-resources xmlns:xlink="http://www.w3.org/1999/xlink">\n';

/** Writes whois-resources as XML. */
export function createXmlWriter(): Writer {
  let inList = false;
  const openList = () => {
    if (inList) return '';
    inList = true;
    return '<objects>\n';
  };
  const closeList = () => {
    if (!inList) return '';
    inList = false;
    return '</objects>\n';
  };
  return {
    open: (head) => start + headElements(head).map(line).join('') + (head.listsObjects ? openList() : ''),
    object: (entry) => openList() + objectText(entry),
    messages: (list) => closeList() + (list.length === 0 ? '' : line(messagesElement(list))),
    close: (tail) => `${closeList()}${tailElements(tail).map(line).join('')}</whois-resources>\n`,
  };
}

function line(element: XmlElement): string {
  return xmlElement(element);
}

function headElements(head: Head): XmlElement[] {
  const elements: XmlElement[] = [];
  if (head.link !== undefined) elements.push(locator('link', head.link));
  if (head.service !== undefined) elements.push({ name: 'service', attributes: [['name', head.service]] });
  if (head.templates) elements.push({ name: 'templates', children: head.templates.map(templateElement) });
  if (head.sources) elements.push({ name: 'sources', children: head.sources.map(sourceElement) });
  if (head.grsSources) elements.push({ name: 'grs-sources', children: head.grsSources.map(grsSourceElement) });
  return elements;
}

function tailElements(tail: Tail): XmlElement[] {
  const elements: XmlElement[] = [];
  if (tail.versions) elements.push(versionsElement(tail.versions));
  if (tail.terms !== undefined) elements.push(locator('terms-and-conditions', tail.terms));
  if (tail.version) elements.push({ name: 'version', attributes: versionAttributes(tail.version) });
  return elements;
}

function locator(name: string, href: string): XmlElement {
  const attributes = [
    ['xlink:type', 'locator'],
    ['xlink:href', href],
  ] as const;
  return { name, attributes };
}

function versionAttributes(version: ServerVersion): [string, string][] {
  const attributes: [string, string][] = [['version', version.version]];
  if (version.timestamp !== undefined) attributes.push(['timestamp', version.timestamp]);
  if (version.commitId !== undefined) attributes.push(['commit-id', version.commitId]);
  return attributes;
}

function sourceElement(source: SourceEntry): XmlElement {
  const attributes = [
    ['name', source.name],
    ['id', source.id],
  ] as const;
  return { name: 'source', attributes };
}

function grsSourceElement(source: SourceEntry): XmlElement {
  return { name: 'source', attributes: [...(sourceElement(source).attributes ?? []), ['grs-id', source.id]] };
}

function templateElement(template: TemplateEntry): XmlElement {
  const attributes = template.attributes.map((attribute) => ({
    name: 'attribute',
    attributes: [
      ['name', attribute.name],
      ['requirement', attribute.requirement],
      ['cardinality', attribute.cardinality],
      ['keys', attribute.keys.join(' ')],
    ] as const,
  }));
  const source = { name: 'source', attributes: [['id', template.source]] as const };
  const children = [source, { name: 'attributes', children: attributes }];
  return { name: 'template', attributes: [['type', template.type]], children };
}

function versionsElement(list: NonNullable<Tail['versions']>): XmlElement {
  const children = list.versions.map((entry) => ({
    name: 'version',
    children: [
      { name: 'revision', text: String(entry.revision) },
      { name: 'date', text: entry.date },
      { name: 'operation', text: entry.operation },
    ],
  }));
  const attributes = [
    ['type', list.type],
    ['key', list.key],
  ] as const;
  return { name: 'versions', attributes, children };
}

function messagesElement(list: readonly Message[]): XmlElement {
  return { name: 'errormessages', children: list.map(messageElement) };
}

function messageElement(message: Message): XmlElement {
  const children: XmlElement[] = message.args.map((value) => ({ name: 'args', attributes: [['value', value]] }));
  if (message.attribute) {
    const { name, value } = message.attribute;
    const attributes = [
      ['name', name],
      ['value', value],
    ] as const;
    children.unshift({ name: 'attribute', attributes });
  }
  const attributes = [
    ['severity', severityName(message.severity)],
    ['text', message.text],
  ] as const;
  return { name: 'errormessage', attributes, children };
}

// Objects are the bulk of every answer: their text is put together by hand.

function objectText(o: ObjectEntry): string {
  const version = o.version === undefined ? '' : ` version="${o.version}"`;
  return `<object type="${xmlText(o.type)}"${version}>
    ${linkText(o.link)}
    <source id="${xmlText(o.source)}"/>
    <primary-key>
${primaryKeyText(o)}    </primary-key>
    <attributes>
${attributesText(o.attributes)}    </attributes>
${tagsText(o)}</object>
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
  for (const { name, value, reference, comment } of attributes) {
    text += `        <attribute name="${xmlText(name)}" value="${xmlText(value)}"`;
    if (reference !== undefined) text += ` referenced-type="${reference.type}"`;
    if (comment !== undefined) text += ` comment="${xmlText(comment)}"`;
    text += reference === undefined ? '/>\n' : `>\n            ${linkText(reference.href)}\n        </attribute>\n`;
  }
  return text;
}

function tagsText(o: ObjectEntry): string {
  if (o.tags.length === 0) return '';
  const children = o.tags.map((tag) => ({
    name: 'tag',
    attributes: [
      ['id', tag.id],
      ['data', tag.data],
    ] as const,
  }));
  return xmlElement({ name: 'tags', children }, '    ');
}
