import { autnum } from './autnum.js';
import type { Document } from './documents.js';
import { type DomainParts, domain } from './domain.js';
import { type EntityParts, entity } from './entity.js';
import { ipNetwork, type NetworkParts } from './network.js';
import type { Nested, Registry, Requested, Stored } from './registry.js';

/** What a document contains in addition to its object. Each document uses the parts of its type. */
export type Parts = NetworkParts & DomainParts & EntityParts;

/** The document of an object; `undefined` for a type that RDAP does not have, and for an invalid key. */
export function document(
  registry: Registry,
  requested: Requested,
  stored: Stored,
  parts: Parts = {},
): Nested<Document> | undefined {
  switch (stored.object.type) {
    case 'inetnum':
    case 'inet6num':
      return ipNetwork(registry, requested, stored, parts);
    case 'aut-num':
      return autnum(registry, requested, stored, parts);
    case 'domain':
      return domain(registry, requested, stored, parts);
    default:
      return entity(registry, requested, stored, parts);
  }
}
