import { LookupStatus } from '@cadastre/proto/objects';
import { type RegistryObject, View } from '@cadastre/proto/registry';
import { defaultPolicy, entityTypes, isAdministrative, type Sought } from '@cadastre/rdap';
import { firstValueOf, formatRange, type ObjectTypeName, parseObject } from '@cadastre/rpsl';
import type { Context } from '../context.js';
import { HttpError } from '../errors.js';
import type { Operation } from '../openapi/operation.js';
import { canonicalUrlOf } from '../request-context.js';
import { messages } from '../ripe-messages.js';
import type { Resource, Route, RouteRequest } from '../route.js';
import type { Found } from './found.js';
import { isRoot, requireAsNumber, requireDomain, requireHandle, requireNetwork } from './keys.js';
import { nearestNetwork, nearestZone } from './nearest.js';
import { rdapContent, rdapDialect } from './operation.js';
import { foundReply } from './reply.js';

/** Finds what a path with this key asks for. Throws an HttpError: 301, 400, 404 or 501; and a ServiceError. */
type Find = (context: Context, request: RouteRequest, key: string) => Promise<Found>;

/** The path of a lookup, its description, and how it finds what to show. */
interface Lookup extends Pick<Operation, 'id' | 'summary' | 'doc' | 'refusals'> {
  /** First segment of the path. */
  readonly path: string;
  /** Name of the key in the path. */
  readonly parameter: string;
  readonly schema: string;
  readonly find: Find;
  readonly showsObjects?: true;
}

function lookupResource({ path, parameter, schema, find, ...description }: Lookup): Resource {
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

const elsewhere = 'Another registry answers, at the URL in `Location`.';

/** GET of one object each: RFC 9082 section 3.1. */
export const lookupResources: readonly Resource[] = [
  lookupResource({
    path: 'ip',
    parameter: 'range',
    id: 'getRdapIp',
    summary: 'Look up a network by RDAP',
    doc: 'Returns the network with exactly these addresses, or else the smallest one that contains them: of an address, a prefix, or a range such as `192.0.2.0 - 192.0.2.99`. Bits behind a prefix are ignored. The contacts of a network have no e-mail addresses. Each person among them counts once a day as one that the client has seen; when the client has seen too many, further ones are only a handle and a link.',
    refusals: { 301: elsewhere, 404: 'No network contains the addresses.' },
    schema: 'RdapIpNetworkAnswer',
    find: findNetwork,
  }),
  lookupResource({
    path: 'autnum',
    parameter: 'number',
    id: 'getRdapAutnum',
    summary: 'Look up an AS number by RDAP',
    doc: 'Returns the aut-num with this number, which may have the prefix `AS`.',
    refusals: { 301: elsewhere, 404: 'The AS number has no aut-num.' },
    schema: 'RdapAutnumAnswer',
    find: findAutnum,
  }),
  lookupResource({
    path: 'domain',
    parameter: 'domain',
    id: 'getRdapDomain',
    summary: 'Look up a reverse zone by RDAP',
    doc: 'Returns the domain object of the zone, or else of the smallest zone that contains it, and the network of its addresses. Other domains than those of addresses are not found.',
    refusals: { 301: elsewhere, 404: 'There is no such zone.', 501: 'The domain is one of telephone numbers.' },
    schema: 'RdapDomainAnswer',
    find: findZone,
  }),
  lookupResource({
    path: 'entity',
    parameter: 'handle',
    id: 'getRdapEntity',
    summary: 'Look up a contact or a holder by RDAP',
    doc: 'Returns the organisation, person, role, mntner or irt with this handle, with its e-mail addresses. When several types have it, the first of person, role, mntner and irt counts, and a notice names the others. A person counts as one that the client has seen.',
    refusals: { 301: elsewhere, 404: 'Nothing has the handle.' },
    schema: 'RdapEntityAnswer',
    showsObjects: true,
    find: findEntity,
  }),
];

async function findNetwork(context: Context, request: RouteRequest, key: string): Promise<Found> {
  const range = requireNetwork(key);
  const found = await nearestNetwork(context, request, range);
  if (found === undefined || formatRange(range) !== found.object.key) {
    redirect(context, request, range, () => found === undefined || isShared(found.object));
  }
  if (found === undefined) throw new HttpError(404, messages.noNetwork(key));
  return found;
}

async function findAutnum(context: Context, request: RouteRequest, key: string): Promise<Found> {
  const number = requireAsNumber(key);
  const object = await lookUp(context, 'aut-num', `AS${number}`);
  if (object === undefined) redirect(context, request, { as: { first: number, last: number } });
  if (object === undefined) throw new HttpError(404, messages.noAsNumber(String(number)));
  return { object };
}

async function findZone(context: Context, request: RouteRequest, key: string): Promise<Found> {
  const { range } = requireDomain(key);
  const found = range && (await nearestZone(context, request, range));
  if (found === undefined) redirect(context, request, { domain: key });
  if (found === undefined) throw new HttpError(404, messages.noZone(key));
  return found;
}

async function findEntity(context: Context, request: RouteRequest, key: string): Promise<Found> {
  const handle = requireHandle(key);
  const found = await Promise.all(entityTypes.map((type) => lookUp(context, type, handle)));
  const [object, ...others] = found.filter((one) => one !== undefined);
  if (object === undefined) redirect(context, request, { handle: key });
  if (object === undefined) throw new HttpError(404, messages.noEntity(key));
  return { object, showEmail: true, showHoldings: true, namesakes: others.map(({ type }) => type as ObjectTypeName) };
}

/** An object of the main source, with its e-mail addresses; documents show those of the entity asked for only. */
async function lookUp(
  { settings, lookUp: ask }: Context,
  type: ObjectTypeName,
  key: string,
): Promise<RegistryObject | undefined> {
  const id = { source: settings.source, type, key };
  const { status, object } = await ask({ key: id, view: View.VIEW_UNFILTERED, withContacts: false });
  return status === LookupStatus.LOOKUP_STATUS_FOUND ? object : undefined;
}

/** Whether a network also has addresses of other registries: a root, and what only divides the space. */
function isShared(object: RegistryObject): boolean {
  if (isRoot(object)) return true;
  const parsed = parseObject(object.text);
  const status = parsed.ok ? firstValueOf(parsed.object, 'status') : undefined;
  return parsed.ok && isAdministrative(defaultPolicy, { type: parsed.object.type, status: status ?? '' });
}

/** Throws an HttpError (301) when another registry answers for what is sought, and `applies`. */
function redirect({ redirects }: Context, request: RouteRequest, sought: Sought, applies = () => true): void {
  const service = redirects.serviceFor(sought);
  if (service === undefined || !applies()) return;
  const { path, query } = canonicalUrlOf(request);
  const below = path.replaceAll(/\/{2,}/g, '/').replace(/^\/rdap(?=\/)/, '');
  const location = `${service}${below}${query === '' ? '' : `?${query}`}`;
  throw new HttpError(301, messages.elsewhere(location), { location });
}
