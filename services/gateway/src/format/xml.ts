import type { Tail } from './resource.js';
import type { Writer } from './writer.js';
import { xmlHead } from './xml-head.js';
import { xmlMessages } from './xml-messages.js';
import { objectText } from './xml-object.js';
import { type XmlElement, xmlElement, xmlLocator } from './xml-text.js';

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
    open: (head) => start + xmlHead(head).map(line).join('') + (head.listsObjects ? openList() : ''),
    object: (entry) => openList() + objectText(entry),
    messages: (list) => closeList() + (list.length === 0 ? '' : line(xmlMessages(list))),
    close: (tail) => `${closeList()}${tailElements(tail).map(line).join('')}</whois-resources>\n`,
  };
}

function line(element: XmlElement): string {
  return xmlElement(element);
}

function tailElements(tail: Tail): XmlElement[] {
  const elements: XmlElement[] = [];
  if (tail.versions) elements.push(versionsElement(tail.versions));
  if (tail.terms !== undefined) elements.push(xmlLocator('terms-and-conditions', tail.terms));
  if (tail.version) elements.push({ name: 'version', attributes: serverVersionAttributes(tail.version) });
  return elements;
}

function serverVersionAttributes(version: NonNullable<Tail['version']>): [string, string][] {
  const attributes: [string, string][] = [['version', version.version]];
  if (version.timestamp !== undefined) attributes.push(['timestamp', version.timestamp]);
  if (version.commitId !== undefined) attributes.push(['commit-id', version.commitId]);
  return attributes;
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
