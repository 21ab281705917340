import { hasHost, hasTerm } from '../document.js';
import type { TypeQuery } from '../index-port.js';
import type { Found } from './found.js';

/**
 * Whether an object that the index found for a query really matches its terms: the index may compare only hashes of
 * terms (ADR 0077).
 */
export function isMatch(one: Found, query: TypeQuery | undefined): boolean {
  if (query?.kind !== 'terms') return true;
  const { anyOf, hosts } = query;
  return (
    anyOf.some((all) => all.every((term) => hasTerm(one, term))) || (hosts !== undefined && hasHost(one.object, hosts))
  );
}
