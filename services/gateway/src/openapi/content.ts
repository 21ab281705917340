import { ref, type Schema } from '@cadastre/rdap/schema';
import type { Example } from '../documents/submission.js';

/** Bodies by media type. */
export type Content = Readonly<Record<string, { readonly schema: Schema; readonly example?: unknown }>>;

const anyText: Schema = { type: 'string' };

/** A document of one of the schemas, as JSON alone. */
export function jsonContent(schema: string, example?: object): Content {
  return { 'application/json': { schema: ref(schema), ...(example && { example }) } };
}

/** A text. */
export const textContent: Content = { 'text/plain': { schema: anyText } };

/**
 * A document in the formats of a read. The schema describes JSON only; XML and text are strings. JSON is first, because
 * generators of clients use the types of the first one.
 */
export function readContent(schema: Schema): Content {
  return { ...writeContent(schema), ...textContent };
}

/** A document in the formats of a write. */
export function writeContent(schema: Schema): Content {
  return { 'application/json': { schema }, 'application/xml': { schema: anyText } };
}

/** The body of a write. */
export function bodyContent(schema: Schema, { json, xml }: Example): Content {
  return { 'application/json': { schema, example: json }, 'application/xml': { schema: anyText, example: xml } };
}

type Member =
  | 'errormessages'
  | 'geolocation-attributes'
  | 'grs-sources'
  | 'limits'
  | 'objects'
  | 'sources'
  | 'templates'
  | 'versions';

/** A whois-resources document with these members. */
export function whoisResources(...required: Member[]): Schema {
  return { allOf: [ref('WhoisResources')], required };
}

/** A document of one of the schemas of RDAP. */
export function rdapContent(...schemas: [string, ...string[]]): Content {
  const [first, ...others] = schemas.map((name) => ref(name));
  return { 'application/rdap+json': { schema: others.length === 0 ? first! : { anyOf: [first!, ...others] } } };
}
