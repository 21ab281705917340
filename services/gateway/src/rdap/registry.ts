import { defaultPolicy, type Registry } from '@cadastre/rdap';
import type { Context } from '../context.js';
import { canonicalUrlOf, publicBaseOf, type RequestContext } from '../request-context.js';
import type { Resource } from '../route.js';

/** What the resources of RDAP have in common. */
export const rdapDialect = { format: 'rdap', errors: 'rdap' } as const satisfies Partial<Resource>;

/** The request whose answer names this registry. */
type Asking = Parameters<typeof canonicalUrlOf>[0] & Pick<RequestContext, 'base'>;

/** What the documents of an answer say of this registry. On a host for RDAP alone, the path has no `/rdap`. */
export function registryOf({ settings }: Pick<Context, 'settings'>, request: Asking): Registry {
  const { base } = request;
  const isOwnHost = canonicalUrlOf(request).rdapHost !== undefined;
  return {
    base: isOwnHost ? base : `${base}/rdap`,
    restBase: isOwnHost ? (publicBaseOf(settings) ?? base) : base,
    termsUrl: settings.termsUrl,
    ...(settings.rdapInaccuracyUrl !== undefined && { inaccuracyUrl: settings.rdapInaccuracyUrl }),
    ...(settings.whoisHost !== undefined && { port43: settings.whoisHost }),
    policy: defaultPolicy,
  };
}

/** What a client may send in a path or a query, though it belongs to no URL (RFC 3986). */
const foreign = /%(?![0-9a-f]{2})|[^!-~]|["#<>[\\\]^`{|}]/gi;

/** The URL that was asked: `value` of links. It is a URL also where the one of the request is none. */
export function requestUrl({ link, base }: Pick<RequestContext, 'link' | 'base'>): string {
  return base + link.slice(base.length).replace(foreign, encodeURIComponent);
}
