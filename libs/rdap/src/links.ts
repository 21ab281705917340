import { type AddressRange, isNonAuthoritative, nonAuthoritativeName, prefixLength } from '@cadastre/rpsl';
import { addressText } from './addresses.js';
import type { Link } from './documents.js';
import type { Registry, Relation, Requested, Stored } from './registry.js';

const rdapType = 'application/rdap+json';

/** The path of a network below the base. A range that is not a prefix has both ends in its path. */
export function networkPath(range: AddressRange): string {
  const first = addressText(range.family, range.first);
  const length = prefixLength(range);
  return length === undefined
    ? `/ip/${first}%20-%20${addressText(range.family, range.last)}`
    : `/ip/${first}/${length}`;
}

/** The path of a person, role, organisation, mntner or irt. */
export function entityPath(key: string): string {
  return `/entity/${encoded(key)}`;
}

/** The path of an AS number. */
export function autnumPath(number: number): string {
  return `/autnum/${number}`;
}

/** The path of a domain. */
export function domainPath(key: string): string {
  return `/domain/${encoded(key)}`;
}

/** The link of a document or contact to itself. */
export function selfLink(registry: Registry, requested: Requested, path: string): Link {
  return { value: requested.url, rel: 'self', href: `${registry.base}${path}`, type: rdapType };
}

/** The links of a document: to itself, to the object of the REST interface, and to related networks or domains. */
export function documentLinks(
  registry: Registry,
  requested: Requested,
  stored: Stored,
  path: string,
  relations: readonly Relation[] = [],
): Link[] {
  const links = [selfLink(registry, requested, path), restLink(registry, requested, stored)];
  for (const relation of relations) links.push(relationLink(registry, requested, path, relation));
  return links;
}

/** The link to a geofeed file (RFC 9877). */
export function geofeedLink(requested: Requested, href: string): Link {
  return { value: requested.url, rel: 'geofeed', href, type: 'application/geofeed+csv' };
}

/** A link to a page for people. */
export function pageLink(requested: Requested, rel: string, href: string): Link {
  return { value: requested.url, rel, href, type: 'text/html' };
}

/** The name of an object's source as the registry shows it. */
export function shownSource({ source, object }: Stored): string {
  return isNonAuthoritative(object, source) ? nonAuthoritativeName(source) : source;
}

function restLink(registry: Registry, requested: Requested, stored: Stored): Link {
  const key = stored.key.split('/').map(encoded).join('/');
  const path = `${shownSource(stored)}/${stored.object.type}/${key}`;
  return {
    value: requested.url,
    rel: 'alternate',
    href: `${registry.restBase}/${path}.json`,
    type: 'application/json',
  };
}

/** "/ip/192.0.2.0/24" becomes "/ips/rirSearch1/rdap-up/192.0.2.0/24". */
function relationLink(registry: Registry, requested: Requested, path: string, rel: Relation): Link {
  const keyStart = path.indexOf('/', 1);
  const kind = path.slice(0, keyStart);
  const [name, active] = rel.split(' ');
  const query = active === undefined ? '' : '?status=active';
  const href = `${registry.base}${kind}s/rirSearch1/${name}${path.slice(keyStart)}${query}`;
  return { value: requested.url, rel, href, type: rdapType };
}

const plain = /^[\w.:~-]+$/;

/** A key as one segment of a path. */
function encoded(key: string): string {
  return plain.test(key) ? key : encodeURIComponent(key.toWellFormed()).replaceAll('%3A', ':');
}
