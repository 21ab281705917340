import { asNumber, autnum } from './autnum.js';
import { entityTypes } from './contacts.js';
import type { Document } from './documents.js';
import { type DomainParts, domain } from './domain.js';
import { type EntityParts, entity } from './entity.js';
import { autnumPath, domainPath, entityPath, networkPath } from './links.js';
import { ipNetwork, type NetworkParts, networkRange } from './network.js';
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

/**
 * The path of an object below the base: "/ip/192.0.2.0/24", "/ip/192.0.2.0%20-%20192.0.2.99", "/autnum/64500",
 * "/domain/2.0.192.in-addr.arpa", "/entity/AE1-TEST". `undefined` for types that RDAP does not have and invalid keys.
 */
export function canonicalPath(stored: Stored): string | undefined {
  const { type } = stored.object;
  if (entityTypes.includes(type)) return entityPath(stored.key);
  if (type === 'domain') return domainPath(stored.key);
  const range = networkRange(stored);
  if (range !== undefined) return networkPath(range);
  const number = asNumber(stored);
  return number === undefined ? undefined : autnumPath(number);
}
