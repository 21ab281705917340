import { defaultPolicy, type Registry } from '@cadastre/rdap';
import type { Context } from '../context.js';
import { canonicalUrlOf, type RequestContext } from '../request-context.js';
import type { Resource } from '../route.js';

/** The common properties of the resources of RDAP. */
export const rdapDialect = { format: 'rdap', errors: 'rdap' } as const satisfies Partial<Resource>;

/** The request whose answer names this registry. */
type Asking = Parameters<typeof canonicalUrlOf>[0] & Pick<RequestContext, 'base'>;

/** The facts of this registry in documents of an answer. On a host for RDAP alone, the path has no `/rdap`. */
export function registryOf({ settings }: Pick<Context, 'settings'>, request: Asking): Registry {
  const { base } = request;
  const isOwnHost = canonicalUrlOf(request).rdapHost !== undefined;
  return {
    base: isOwnHost ? base : `${base}/rdap`,
    restBase: isOwnHost ? (settings.baseUrl ?? base) : base,
    termsUrl: settings.termsUrl,
    ...(settings.rdapInaccuracyUrl !== undefined && { inaccuracyUrl: settings.rdapInaccuracyUrl }),
    ...(settings.whoisHost !== undefined && { port43: settings.whoisHost }),
    policy: defaultPolicy,
  };
}

/** Characters that a client may send in a path or a query, but that a URL does not allow (RFC 3986). */
const foreign = /%(?![0-9a-f]{2})|[^!-~]|["#<>[\\\]^`{|}]/gi;

/** The URL of the request: `value` of links. It is valid even if that of the request is not. */
export function requestUrl({ link, base }: Pick<RequestContext, 'link' | 'base'>): string {
  return base + link.slice(base.length).replace(foreign, encodeURIComponent);
}
