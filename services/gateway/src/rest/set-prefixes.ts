// /:source/:setType/:set/expanded

import { Readable } from 'node:stream';
import { AddressFamily, type ExpandSetRequest } from '@cadastre/proto/whois';
import { ref } from '@cadastre/rdap/schema';
import { asciiLowerCase, asciiUpperCase, setTypeOf } from '@cadastre/rpsl';
import type { FastifyReply } from 'fastify';
import { beginStream, eachInTurn } from '../backends/set-streams.js';
import type { Context } from '../context.js';
import { omissionsText, renderOmissions } from '../documents/set-omissions.js';
import { type PrefixListType, prefixListTypes, renderPrefixes } from '../documents/set-prefixes.js';
import { HttpError } from '../errors.js';
import { textContent } from '../openapi/content.js';
import { namesIn, parameter } from '../parameters.js';
import { acceptedType } from '../reply/negotiate.js';
import { clientGone, endWhenStalled } from '../reply/reply-end.js';
import type { RouteReply } from '../reply/send.js';
import { canonicalUrlOf } from '../request-context.js';
import { messages } from '../ripe-messages.js';
import type { Resource, Route, RouteRequest } from '../route.js';
import { sourceFirst } from './object-address.js';

const prefixesQuery = {
  family: parameter.text('Only prefixes of IPv4 (`4`) or IPv6 (`6`); default: both.', {
    example: '4',
    values: ['4', '6'],
  }),
  aggregate: parameter.flag(
    'Joins the prefixes into the fewest that have the same addresses, without range operators.',
  ),
  by: parameter.text('`origin` lists the prefixes of each AS number of an as-set; default: all together.', {
    example: 'origin',
    values: ['origin'],
  }),
  sources: parameter.list(
    'Further sources of sets and routes. The set is from the first source that has it, routes are from all.',
  ),
  source: parameter.list('As `sources`.', { isOldName: true }),
  'route-sources': parameter.list('The sources whose routes count; default: those of sets.', { example: 'RIPE' }),
  exclude: parameter.list('Sets that are not expanded as members of others.', { example: 'AS-OTHER' }),
  explain: parameter.flag(
    'Returns what is left out and why, instead of prefixes: unknown, excluded and too large sets, sets and routes of other sources, and routes that ROAs make invalid. At most 1,000 reasons and the number of all others. `by` and `aggregate` have no effect.',
  ),
};

type SetParameters = Readonly<Record<'source' | 'setType' | 'set', string>>;
type PrefixesRequest = RouteRequest<SetParameters, typeof prefixesQuery>;

/** GET of the prefixes of a set. */
const prefixes: Route<SetParameters, typeof prefixesQuery> = {
  id: 'listSetPrefixes',
  tag: 'Search',
  summary: 'List the prefixes of a set',
  doc: 'Returns the prefixes of all routes of the AS numbers in an as-set or route-set and in the sets in it, and the prefixes among the members of a route-set with their range operators; by address, each once. Omits routes that ROAs make invalid, unless the operator shows those of the source. `Accept` or the extension selects the format: JSON (default), or text (`.txt`) with a prefix in each line, by origin after its AS number and before the sources that have it. There is no limit of prefixes. A set with more than 50,000 members is not expanded, nor one with more than 100,000 in all sets together (or the limit of the operator): the response is 400 and names the set. A client has one expansion at a time, others wait. The registry sends the response during its creation. If it cannot complete it, it aborts the connection: never make a filter from an incomplete response.',
  query: prefixesQuery,
  success: {
    doc: 'The prefixes.',
    content: { 'application/json': { schema: ref('SetPrefixes') }, ...textContent },
    headers: ['CADASTRE-Serial'],
  },
  refusals: { 404: 'The set does not exist.' },
  credentials: 'optional',
  handler: listPrefixes,
};

export const setPrefixesResource: Resource = {
  name: 'set-prefixes',
  url: '/:source/:setType/:set/expanded',
  load: 'search',
  format: 'rows',
  GET: prefixes,
};

/** The first message decides the status; the others follow as the client reads. */
async function listPrefixes(context: Context, request: PrefixesRequest, reply: FastifyReply): Promise<RouteReply> {
  const { params, query, limitedClient } = request;
  const form = formOf(request);
  const requested = await sourceFirst(context, request, () => expandRequestOf(request));
  const { first, rest } = await beginStream(context, clientGone(reply), (sets, signal) =>
    sets.expandSet(requested, { deadlineMs: context.settings.streamDeadline, signal, requestId: request.id }),
  );
  const { serial } = first;
  const contentType = form === 'text/plain' ? 'text/plain;charset=utf-8' : form;
  const headers = { 'content-type': contentType, 'cadastre-serial': String(serial) };
  if (request.method === 'HEAD') {
    await rest.return?.();
    return { status: 200, headers, content: Readable.from([]) };
  }
  endWhenStalled(request.raw, context.settings.stallTimeout);
  const set = {
    source: asciiUpperCase(params.source),
    type: asciiLowerCase(params.setType),
    name: asciiUpperCase(params.set),
    serial: Number(serial),
  };
  const inTurn = eachInTurn(context, limitedClient, rest, ({ groups, omissions }) =>
    groups.reduce((sum, { prefixes }) => sum + prefixes.length, omissionsText(omissions).length),
  );
  const content = query.explain
    ? renderOmissions(form, set, inTurn)
    : renderPrefixes(form, set, query.by !== '', inTurn);
  return { status: 200, headers, content };
}

function formOf(request: PrefixesRequest): PrefixListType {
  const type = acceptedType(prefixListTypes, request.headers.accept, canonicalUrlOf(request).extension);
  if (type === undefined) throw new HttpError(415, messages.jsonOrTextOnly());
  return type;
}

const families: Readonly<Record<string, AddressFamily>> = {
  '': AddressFamily.ADDRESS_FAMILY_UNSPECIFIED,
  '4': AddressFamily.ADDRESS_FAMILY_IPV4,
  '6': AddressFamily.ADDRESS_FAMILY_IPV6,
};

function expandRequestOf({ params, query, limitedClient }: PrefixesRequest): ExpandSetRequest {
  const { source, setType, set: name } = params;
  const type = asciiLowerCase(setType);
  if (type !== 'as-set' && type !== 'route-set') throw new HttpError(400, messages.notExpandable(setType));
  if (setTypeOf(name) !== type) throw new HttpError(400, messages.invalidKey());
  const family = families[query.family];
  if (family === undefined) throw new HttpError(400, messages.invalidValue(query.family, 'family', '4 or 6'));
  if (!['', 'origin'].includes(query.by)) throw new HttpError(400, messages.invalidValue(query.by, 'by', 'origin'));
  const { aggregate, by, explain } = query;
  const sources = [source, ...namesIn([...query.sources, ...query.source])];
  return {
    ...{ sources, name, family, aggregate, byOrigin: by !== '', client: limitedClient.id, explain },
    routeSources: namesIn(query['route-sources']),
    excludedSets: namesIn(query.exclude),
  };
}
