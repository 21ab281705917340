import type { Stored } from './registry.js';

/**
 * Where an object is below the base: "/ip/192.0.2.0/24", "/ip/192.0.2.0%20-%20192.0.2.99", "/autnum/64500",
 * "/domain/2.0.192.in-addr.arpa", "/entity/AE1-TEST". `undefined` for types that RDAP does not have and invalid keys.
 */
export function canonicalPath(_stored: Stored): string | undefined {
  throw new Error('Not implemented');
}
