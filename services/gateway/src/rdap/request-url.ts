import type { RequestContext } from '../request-context.js';

/** What a client may send in a path or a query, though it belongs to no URL (RFC 3986). */
const foreign = /%(?![0-9a-f]{2})|[^!-~]|["#<>[\\\]^`{|}]/gi;

/** The URL that was asked: `value` of links. It is a URL also where the one of the request is none. */
export function requestUrl({ link, base }: Pick<RequestContext, 'link' | 'base'>): string {
  return base + link.slice(base.length).replace(foreign, encodeURIComponent);
}
