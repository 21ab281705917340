import { ref } from '../documents/schema.js';
import type { Content } from '../openapi/content.js';
import type { Resource } from '../route.js';

/** What the resources of RDAP have in common. */
export const rdapDialect = { format: 'rdap', errors: 'rdap' } as const satisfies Partial<Resource>;

/** A document of one of the schemas of RDAP. */
export function rdapContent(...schemas: [string, ...string[]]): Content {
  const [first, ...others] = schemas.map(ref);
  return { 'application/rdap+json': { schema: others.length === 0 ? first! : { anyOf: [first!, ...others] } } };
}
