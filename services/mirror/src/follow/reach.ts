import { type LookupAddress, lookup as lookUpName } from 'node:dns';
import { lookup as resolveName } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import { isPublicAddress } from '@cadastre/service';
import { MirrorFault } from './origin.js';

/** Restrictions on where files of an origin may come from. */
export interface Reach {
  /** The origin is in the operator's own network: allows http everywhere, and addresses that are not public. */
  readonly ownNetwork: boolean;
  /** CA certificates (PEM) instead of those of Node.js. */
  readonly ca?: string;
}

/** Throws a MirrorFault when the host is an address that the origin may not have. `lookupOf` checks names. */
export function requireAllowedLiteral(url: URL, reach: Reach): void {
  const literal = hostOf(url);
  if (isIP(literal) !== 0) requireAllowed([literal], url, reach);
}

/** Resolves a name for the connection itself, so that it leads to a checked address. */
export function lookupOf(url: URL, reach: Reach): LookupFunction {
  return (name, options, done) => {
    lookUpName(name, { ...options, all: true }, (error, addresses) => {
      try {
        if (error) throw error;
        requireAllowed(addressesOf(addresses), url, reach);
        if (options.all) done(null, addresses);
        else done(null, addresses[0]!.address, addresses[0]!.family);
      } catch (fault) {
        done(fault as Error, '');
      }
    });
  };
}

/** The addresses of the host, all of them allowed, for clients that do not resolve names by `lookupOf`. */
export async function allowedAddresses(url: URL, reach: Reach): Promise<string[]> {
  const addresses = addressesOf(await resolveName(hostOf(url), { all: true }));
  requireAllowed(addresses, url, reach);
  return addresses;
}

function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '');
}

function addressesOf(found: readonly LookupAddress[]): string[] {
  return found.map(({ address }) => address);
}

function requireAllowed(addresses: readonly string[], url: URL, { ownNetwork }: Reach): void {
  const inner = ownNetwork ? undefined : addresses.find((address) => !isPublicAddress(address));
  if (inner === undefined) return;
  throw new MirrorFault('refused', `${url.href} leads to ${inner}, which is no public address; see "ownNetwork"`);
}
