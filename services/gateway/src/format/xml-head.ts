import type {
  GeoEntry,
  Geolocation,
  Head,
  LimitList,
  SearchParameters,
  SourceEntry,
  TemplateEntry,
} from './resource.js';
import { type XmlElement, xmlLocator } from './xml-text.js';

/** What comes before the objects. */
export function xmlHead(head: Head): XmlElement[] {
  const elements: XmlElement[] = [];
  if (head.link !== undefined) elements.push(xmlLocator('link', head.link));
  if (head.service !== undefined) elements.push({ name: 'service', attributes: [['name', head.service]] });
  if (head.parameters) elements.push(parametersElement(head.parameters));
  if (head.templates) elements.push({ name: 'templates', children: head.templates.map(templateElement) });
  if (head.sources) elements.push({ name: 'sources', children: head.sources.map(sourceElement) });
  if (head.grsSources) elements.push({ name: 'grs-sources', children: head.grsSources.map(grsSourceElement) });
  if (head.geolocation) elements.push(geolocationElement(head.geolocation));
  if (head.limits) elements.push(limitsElement(head.limits));
  return elements;
}

/** Every list is there, the empty ones too. */
function parametersElement(parameters: SearchParameters): XmlElement {
  const { inverseAttributes, types, flags, queries, sources } = parameters;
  const children = [
    listElement('inverse-lookup', 'inverse-attribute', 'value', inverseAttributes),
    listElement('type-filters', 'type-filter', 'id', types),
    listElement('flags', 'flag', 'value', flags),
    listElement('query-strings', 'query-string', 'value', queries),
    listElement('sources', 'source', 'id', sources),
  ];
  return { name: 'parameters', children };
}

function listElement(name: string, item: string, attribute: string, values: readonly string[]): XmlElement {
  return { name, children: values.map((value) => ({ name: item, attributes: [[attribute, value]] })) };
}

function geolocationElement({ location, languages, geofeed }: Geolocation): XmlElement {
  const children = [
    ...(location ? [geoElement('location', location)] : []),
    ...languages.map((language) => geoElement('language', language)),
    ...(geofeed ? [geoElement('geofeed', geofeed)] : []),
  ];
  return { name: 'geolocation-attributes', children };
}

function geoElement(name: string, { value, href }: GeoEntry): XmlElement {
  return { name, attributes: [['value', value]], children: [xmlLocator('link', href)] };
}

function limitsElement({ client, entries }: LimitList): XmlElement {
  const children = entries.map((entry) => ({
    name: 'limit',
    attributes: Object.entries(entry).map(([name, value]) => [name, String(value)] as const),
  }));
  return { name: 'limits', attributes: [['client', client]], children };
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
