import { asciiLowerCase } from '@cadastre/rpsl';

/** The extensions that choose a format. */
export type Extension = 'xml' | 'json' | 'txt';

/** The URL of a request in the form of the router's patterns, and the parts that the router does not need. */
export interface CanonicalUrl {
  /** Path and query without prefix, extension and doubled slashes; each slash in a key is "%2F". */
  readonly routed: string;
  readonly extension: Extension | undefined;
  /** As sent, without the "?"; empty when there is none. */
  readonly query: string;
  /** As sent, without prefix and extension: for links. */
  readonly path: string;
  /** Host and port as sent, if the host serves RDAP alone. */
  readonly rdapHost?: string;
}

declare module 'node:http' {
  interface IncomingMessage {
    /** Set by `rewriteUrl` before routing. */
    canonicalUrl?: CanonicalUrl;
  }
}

/** First segments that are no source. */
export const reservedSegments: readonly string[] = [
  'abuse-contact',
  'api-keys',
  'batch',
  'bulk-lookup',
  'docs',
  'dumps',
  'geolocation',
  'metadata',
  'notifications',
  'nrtmv4',
  'openapi',
  'rdap',
  'references',
  'search',
  'session',
  'syncupdates',
  'webhooks',
];
const reserved: ReadonlySet<string> = new Set(reservedSegments);

/** A path without a route: every path of one segment that is not reserved is unknown. */
const nowhere = '/nowhere';

/** Makes a URL canonical (decision R18). Never throws: a path that is not percent-encoded UTF-8 leads to `nowhere`. */
export function canonicalUrl(url: string): CanonicalUrl {
  const { path: sent, query } = splitUrl(url);
  const routed = (path: string) => (query === '' ? path : `${path}?${query}`);
  if (isRdapPath(sent))
    return { routed: routed(rdapPath(sent)), extension: undefined, query, path: withoutPrefix(sent) };
  if (isWebPath(sent)) return { routed: routed(webPath(sent)), extension: undefined, query, path: sent };
  const extension = isFilePath(sent) ? undefined : extensionOf(sent);
  const path = withoutPrefix(extension === undefined ? sent : sent.slice(0, -1 - extension.length));
  return { routed: routed(routedPath(path)), extension, query, path };
}

/** Makes a URL of a host that serves RDAP alone canonical: `/ip/192.0.2.7` means `/rdap/ip/192.0.2.7` there. */
export function canonicalRdapUrl(url: string, rdapHost: string): CanonicalUrl {
  const { path, query } = splitUrl(url);
  const routed = rdapPath(isRdapPath(path) ? path : `/rdap/${path}`);
  return { routed: query === '' ? routed : `${routed}?${query}`, extension: undefined, query, path, rdapHost };
}

function isRdapPath(path: string): boolean {
  return /^\/+rdap(?:\/|$)/i.test(withoutPrefix(path));
}

/** Number of segments before a key, which may contain slashes: by the first segment after `/rdap/`. */
const segmentsBeforeKey: ReadonlyMap<string, number> = new Map([
  ['ip', 1],
  ['autnum', 1],
  ['domain', 1],
  ['entity', 1],
  ['nameserver', 1],
  ['history', 2],
]);
/** The same for the relations of RFC 9910: `/rdap/ips/rirSearch1/rdap-up/192.0.2.0/24`. */
const segmentsBeforeRelated = 3;

/** A path of RDAP has no extension: that would be a part of a domain name. The key may have any letter case (R18). */
function rdapPath(path: string): string {
  if (plainRdapPath.test(path)) return path;
  const [, ...segments] = segmentsOf(withoutPrefix(path)) ?? [];
  if (segments.length === 0) return `/rdap${nowhere}`;
  segments[0] = asciiLowerCase(segments[0]!);
  const before = segments[1] === 'rirSearch1' ? segmentsBeforeRelated : segmentsBeforeKey.get(segments[0]);
  const key = segments.splice(before ?? segments.length);
  const all = ['rdap', ...segments, ...(key.length === 0 ? [] : [key.join('/')])];
  return `/${all.map(encodeURIComponent).join('/')}`;
}

/** The names of published files have their own extensions. */
function isFilePath(path: string): boolean {
  return /^\/+(?:nrtmv4|dumps)\//.test(withoutPrefix(path));
}

/** The web interface has "/" and everything below "/-/": names of sources begin with a letter (ADR 0020). */
function isWebPath(path: string): boolean {
  return path === '/' || path.startsWith('/-/');
}

function webPath(path: string): string {
  return segmentsOf(path) === undefined ? nowhere : path;
}

function splitUrl(url: string): { path: string; query: string } {
  const origin = url.startsWith('/') ? '' : (/^[a-z]+:\/\/[^/?#]*/i.exec(url)?.[0] ?? '');
  const rest = url.slice(origin.length);
  const mark = rest.indexOf('?');
  return mark < 0 ? { path: rest, query: '' } : { path: rest.slice(0, mark), query: rest.slice(mark + 1) };
}

function extensionOf(path: string): Extension | undefined {
  if (path.endsWith('.json')) return 'json';
  if (path.endsWith('.xml')) return 'xml';
  return path.endsWith('.txt') ? 'txt' : undefined;
}

function withoutPrefix(path: string): string {
  return path.replace(/^\/+whois(?=\/|$)/i, '');
}

/** Decoded; `undefined` when the path is not percent-encoded UTF-8. */
function segmentsOf(path: string): string[] | undefined {
  try {
    const decoded = path.includes('%') ? decodeURIComponent(path) : path;
    return decoded.split('/').filter((segment) => segment !== '');
  } catch {
    return undefined;
  }
}

/** Most paths: at most three segments, whose last one may be a complete key. */
const plainPath = /^\/(?!abuse-contact\/)[^/%#]+(?:\/[^/%#]+){0,2}$/;

/** Most paths of RDAP. */
const plainRdapPath = /^\/rdap\/[^/%#A-Z]+\/[^/%#]+$/;

/** Keys with spaces, colons or slashes in the usual encoding. */
const encodedKey = /^\/([^/%#]+)\/[^/%#]+\/[\w.:-]+(?:%(?:20|3A|2F(?!versions|expanded))[\w.:-]+)+$/;

function routedPath(path: string): string {
  if (plainPath.test(path)) return path;
  const encoded = encodedKey.exec(path);
  if (encoded !== null && !reserved.has(encoded[1]!)) return path;
  const [first, ...rest] = segmentsOf(path)?.map(/[%#]/.test(path) ? encodeURIComponent : asItIs) ?? [];
  if (first === undefined) return nowhere;
  if (first === 'abuse-contact' && rest.length > 0) return `/${first}/${rest.join('%2F')}`;
  if (reserved.has(first) || rest.length < 3) return `/${[first, ...rest].join('/')}`;
  const [type, ...key] = rest;
  const behind = key.splice(key.length - segmentsBehind(key));
  return `/${[first, type, key.join('%2F'), ...behind].join('/')}`;
}

/** How many of these segments follow the key. A key is never empty, so an object may have the name "versions". */
function segmentsBehind(key: readonly string[]): number {
  if (key.length > 1 && ['versions', 'expanded'].includes(key.at(-1)!)) return 1;
  return key.length > 2 && key.at(-2) === 'versions' ? 2 : 0;
}

function asItIs(segment: string): string {
  return segment;
}
