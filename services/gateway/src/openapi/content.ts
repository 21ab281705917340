import { ref, type Schema } from '../schemas/schema.js';

/** Bodies by media type. */
export type Content = Readonly<Record<string, { readonly schema: Schema }>>;

const anyText: Schema = { type: 'string' };

/** A document of one of the schemas, as JSON alone. */
export function jsonContent(schema: string): Content {
  return { 'application/json': { schema: ref(schema) } };
}

/** A text. */
export const textContent: Content = { 'text/plain': { schema: anyText } };

/** A document in the formats of a read. The schema describes JSON only; XML and text are strings. */
export function readContent(schema: Schema): Content {
  return { ...writeContent(schema), ...textContent };
}

/** A document in the formats of a write. */
export function writeContent(schema: Schema): Content {
  return { 'application/xml': { schema: anyText }, 'application/json': { schema } };
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
