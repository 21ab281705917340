import { LookupStatus } from '@cadastre/proto/objects';
import { type RegistryObject, View } from '@cadastre/proto/registry';
import type { Sought } from '@cadastre/rdap';
import type { ObjectTypeName } from '@cadastre/rpsl';
import type { Context } from '../context.js';
import { HttpError } from '../errors.js';
import { rdapContent } from '../openapi/content.js';
import type { Operation } from '../openapi/operation.js';
import { canonicalUrlOf } from '../request-context.js';
import { messages } from '../ripe-messages.js';
import type { Resource, Route, RouteRequest } from '../route.js';
import type { Found } from './found.js';
import { rdapDialect } from './registry.js';
import { foundReply } from './reply.js';

/** Finds the object of a path with this key. Throws an HttpError: 301, 400, 404 or 501; and a ServiceError. */
type Find = (context: Context, request: RouteRequest, key: string) => Promise<Found>;

/** The path of a lookup, its description, and how to find its object. */
interface Lookup extends Pick<Operation, 'id' | 'summary' | 'doc' | 'refusals'> {
  /** First segment of the path. */
  readonly path: string;
  /** Name of the key in the path. */
  readonly parameter: string;
  readonly schema: string;
  readonly find: Find;
  readonly showsObjects?: true;
}

/** The resource of one object each: RFC 9082 section 3.1. */
export function lookupResource({ path, parameter, schema, find, ...description }: Lookup): Resource {
  const route: Route = {
    ...description,
    tag: 'RDAP',
    query: {},
    success: { doc: 'The document.', content: rdapContent(schema) },
    credentials: 'optional',
    isCached: true,
    handler: (context, request, reply) =>
      foundReply(context, request, reply, () => find(context, request, request.params[parameter]!)),
  };
  return { ...rdapDialect, name: `rdap-${path}`, url: `/rdap/${path}/:${parameter}`, GET: route };
}

/** The description of a redirect. */
export const elsewhere = 'Another registry answers, at the URL in `Location`.';

/** An object of the main source, with its e-mail addresses; documents show only those of the requested entity. */
export async function lookUp(
  { settings, lookUp: ask }: Context,
  type: ObjectTypeName,
  key: string,
): Promise<RegistryObject | undefined> {
  const id = { source: settings.source, type, key };
  const { status, object } = await ask({ key: id, view: View.VIEW_UNFILTERED, withContacts: false });
  return status === LookupStatus.LOOKUP_STATUS_FOUND ? object : undefined;
}

/** Throws an HttpError (301) when another registry has the resource. */
export function redirect({ redirects }: Context, request: RouteRequest, sought: Sought): void {
  const service = redirects.serviceFor(sought);
  if (service === undefined) return;
  const { path, query } = canonicalUrlOf(request);
  const below = path.replaceAll(/\/{2,}/g, '/').replace(/^\/rdap(?=\/)/, '');
  const location = `${service}${below}${query === '' ? '' : `?${query}`}`;
  throw new HttpError(301, messages.elsewhere(location), { location });
}
