import { type JsonObject, jsonLocator } from './json-text.js';
import type { GeoEntry, Geolocation, Head, SearchParameters, SourceEntry, TemplateEntry } from './resource.js';

/** What comes before the objects. */
export function jsonHead(head: Head): JsonObject {
  return {
    link: head.link === undefined ? undefined : jsonLocator(head.link),
    service: head.service === undefined ? undefined : { name: head.service },
    parameters: head.parameters && parametersMember(head.parameters),
    templates: head.templates && { template: head.templates.map(templateMember) },
    sources: head.sources && { source: head.sources.map(sourceMember) },
    'grs-sources': head.grsSources && {
      source: head.grsSources.map((source) => ({ ...sourceMember(source), 'grs-id': source.id })),
    },
    'geolocation-attributes': head.geolocation && geolocationMember(head.geolocation),
    limits: head.limits && { client: head.limits.client, limit: head.limits.entries.map((entry) => ({ ...entry })) },
  };
}

/** Every list is there, the empty ones too. */
function parametersMember(parameters: SearchParameters): JsonObject {
  const { inverseAttributes, types, flags, queries, sources } = parameters;
  return {
    'inverse-lookup': listMember('inverse-attribute', 'value', inverseAttributes),
    'type-filters': listMember('type-filter', 'id', types),
    flags: listMember('flag', 'value', flags),
    'query-strings': listMember('query-string', 'value', queries),
    sources: listMember('source', 'id', sources),
  };
}

function listMember(item: string, name: string, values: readonly string[]): JsonObject {
  return values.length === 0 ? {} : { [item]: values.map((value) => ({ [name]: value })) };
}

function geolocationMember({ location, languages, geofeed }: Geolocation): JsonObject {
  return {
    location: location && [geoMember(location)],
    language: languages.length === 0 ? undefined : languages.map(geoMember),
    geofeed: geofeed && [geoMember(geofeed)],
  };
}

function geoMember({ value, href }: GeoEntry): JsonObject {
  return { value, link: jsonLocator(href) };
}

function sourceMember(source: SourceEntry): JsonObject {
  return { name: source.name, id: source.id };
}

function templateMember(template: TemplateEntry): JsonObject {
  const attribute = template.attributes.map(({ name, requirement, cardinality, keys }) => ({
    name,
    requirement,
    cardinality,
    keys: keys.length === 0 ? undefined : keys,
  }));
  return { type: template.type, source: { id: template.source }, attributes: { attribute } };
}
