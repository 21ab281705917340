import type { Schema } from '@cadastre/rdap/schema';
import { submissionSchemas } from './submission.js';
import { whoisResourcesSchemas } from './whois-resources-schema.js';

/** The part of JSON Schema (draft 2020-12) that bodies need. Null always means absent. */
type BodySchema =
  | { readonly type: readonly ['string', 'number', 'boolean', 'null'] }
  | { readonly type: readonly ['array', 'null']; readonly items: BodySchema }
  | {
      readonly type: readonly ['object', 'null'];
      readonly properties: Readonly<Record<string, BodySchema>>;
      readonly additionalProperties: false;
    }
  | true;

/** Members of the root whose content is ignored. */
const anything = [
  ...['parameters', 'templates', 'sources', 'grs-sources'],
  ...['geolocation-attributes', 'results', 'limits', 'versions'],
];

const { WhoisResources, WhoisObject } = whoisResourcesSchemas;
const { attributes, ...conditions } = submissionSchemas.BatchObject!.properties!;
const schemas: Readonly<Record<string, Schema>> = {
  ...whoisResourcesSchemas,
  // Earlier responses had a version of each object.
  WhoisObject: { ...WhoisObject, properties: { ...WhoisObject!.properties, ...conditions, version: {} } },
};

/** The accepted values where a response has a schema: the same members, or none, and any scalar for a scalar. */
function acceptedFor({ $ref, items, properties }: Schema): BodySchema {
  if ($ref !== undefined) return acceptedFor(schemas[$ref.slice($ref.lastIndexOf('/') + 1)]!);
  if (items !== undefined) return { type: ['array', 'null'], items: acceptedFor(items) };
  if (properties === undefined) return { type: ['string', 'number', 'boolean', 'null'] };
  const accepted = Object.entries(properties).map(([name, schema]) => [name, acceptedFor(schema)] as const);
  return { type: ['object', 'null'], properties: Object.fromEntries(accepted), additionalProperties: false };
}

/** The body of a write. It has every member of responses, so that clients can send back what they received. */
export const whoisResourcesBody: BodySchema = {
  type: ['object', 'null'],
  properties: Object.fromEntries(
    Object.entries(WhoisResources!.properties!).map(([name, schema]) => [
      name,
      anything.includes(name) || acceptedFor(schema),
    ]),
  ),
  additionalProperties: false,
};
