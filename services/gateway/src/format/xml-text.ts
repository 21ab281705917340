// Characters that stand for themselves need no work; nearly every value has no others.
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

/** Text for the inside of an XML attribute or element; what XML 1.0 does not allow, and CR, is dropped. */
export function xmlText(text: string): string {
  return special.test(text) ? text.replace(replaced, (character) => entities[character] ?? '') : text;
}

/** An element for which speed does not matter. */
export interface XmlElement {
  readonly name: string;
  readonly attributes?: readonly (readonly [name: string, value: string])[];
  readonly children?: readonly XmlElement[];
  readonly text?: string;
}

/** An element with its children on lines of their own, four spaces per level. */
export function xmlElement(element: XmlElement, indent = ''): string {
  const { name, attributes = [], children = [], text } = element;
  const start = `${indent}<${name}${attributes.map(([key, value]) => ` ${key}="${xmlText(value)}"`).join('')}`;
  if (text !== undefined) return `${start}>${xmlText(text)}</${name}>\n`;
  if (children.length === 0) return `${start}/>\n`;
  const inner = children.map((child) => xmlElement(child, `${indent}    `)).join('');
  return `${start}>\n${inner}${indent}</${name}>\n`;
}

/** An element that links to something. */
export function xmlLocator(name: string, href: string): XmlElement {
  const attributes = [
    ['xlink:type', 'locator'],
    ['xlink:href', href],
  ] as const;
  return { name, attributes };
}
