import { type Lookup, LookupStatus } from '@cadastre/proto/objects';
import { type RegistryObject, View } from '@cadastre/proto/registry';
import type { FastifyRequest } from 'fastify';
import type { KeptAnswer, ObjectName, PendingLookup } from '../clients/lookup-cache.js';
import { entityTag } from '../conditional.js';
import type { Context } from '../context.js';
import { Refusal } from '../errors.js';
import { baseOf, type Exchange } from '../exchange.js';
import { objectEntry } from '../format/object.js';
import { render } from '../format/render.js';
import { hasCredentials } from '../hooks/credentials.js';
import { spend } from '../hooks/limit.js';
import { isPersonal } from '../limits/personal-object.js';
import type { TargetOf } from '../locator.js';
import { messages } from '../messages.js';
import { negotiate } from '../negotiate.js';
import { readContent, whoisResources } from '../openapi/content.js';
import { parameter } from '../parameters.js';
import type { Answer } from '../respond.js';
import { addressedName } from './addressed.js';
import type { Route } from './route.js';

const query = {
  unfiltered: parameter.flag(
    'Shows what a filtered object leaves out: `e-mail`, `notify` and others that name people. `auth` of a mntner is shown only to who authenticates as that mntner.',
  ),
  unformatted: parameter.flag('Shows values as they were written, with their spaces, line ends and comments.'),
};

/** GET of one object. */
export const objectLookup: Route<'object', typeof query> = {
  id: 'lookUpObject',
  tag: 'Objects',
  summary: 'Look up one object',
  doc: 'The object with this very key: for address space, what encloses it is not looked for. Filtered unless `unfiltered` is given.',
  query,
  success: { doc: 'The object.', content: readContent(whoisResources('objects')) },
  refusals: { 404: 'There is no such object.' },
  credentials: 'optional',
  answer: lookUpObject,
};

async function lookUpObject(context: Context, exchange: Exchange<TargetOf<'object'>, typeof query>): Promise<Answer> {
  const { request, target, format, base, principal } = exchange;
  const { unfiltered, unformatted } = exchange.parameters;
  const name = await addressedName(context, exchange);
  const lookup: Lookup = {
    key: { source: target.source, type: target.type, key: target.key },
    view: unfiltered ? View.VIEW_UNFILTERED : View.VIEW_FILTERED,
    withContacts: format !== 'text',
    principal,
  };
  const pending = principal || unfiltered ? undefined : beginKeeping(context, target.source, name);
  try {
    const found = foundObject(await context.lookUp(lookup), target);
    const refusal = await spend(context, exchange, found);
    if (refusal) throw refusal;
    const entry = objectEntry(found, { base, unformatted });
    const { termsUrl: terms } = context.settings;
    const resource = { head: {}, objects: entry ? [entry] : [], tail: { terms, version: context.version } };
    const body = Buffer.from(render(format, resource));
    const key = requestKey(context, request);
    const answer = { format, content: body, entityTag: entityTag(body) };
    if (key !== undefined) pending?.keep(key, { ...answer, isPersonal: isPersonal(found) });
    return { status: 200, ...answer };
  } finally {
    pending?.end();
  }
}

/** The answer to a request, if it is kept. Does as little as it can: most requests end here. */
export function keptAnswer(context: Context, request: FastifyRequest): KeptAnswer | undefined {
  if (request.method !== 'GET' || hasCredentials(context, request)) return undefined;
  const key = requestKey(context, request);
  return key === undefined ? undefined : context.cache.get(key);
}

/**
 * Names what an anonymous GET asks for: URL, format by Accept, and base of the links. `undefined` when
 * Accept asks for no format that is offered: an extension may still choose one, but the answer is not kept.
 */
function requestKey({ settings }: Context, request: FastifyRequest): string | undefined {
  const format = negotiate(undefined, request.headers.accept, true);
  return format && `${format} ${baseOf(request, settings)} ${request.originalUrl}`;
}

function beginKeeping(context: Context, source: string, name: ObjectName): PendingLookup | undefined {
  const pending = context.cache.begin(source, name);
  if (pending) context.metrics.cached(false);
  return pending;
}

function foundObject(
  { status, object }: { status: LookupStatus; object?: RegistryObject | undefined },
  target: TargetOf<'object'>,
): RegistryObject {
  switch (status) {
    case LookupStatus.LOOKUP_STATUS_FOUND:
      if (object) return object;
      throw new Refusal(500, messages.unexpected());
    case LookupStatus.LOOKUP_STATUS_NOT_FOUND:
      throw new Refusal(404, messages.noEntries(target.source.toUpperCase()));
    case LookupStatus.LOOKUP_STATUS_UNKNOWN_SOURCE:
      throw new Refusal(400, messages.invalidSource(target.source));
    case LookupStatus.LOOKUP_STATUS_UNKNOWN_TYPE:
      throw new Refusal(400, messages.invalidObjectType(target.type));
    case LookupStatus.LOOKUP_STATUS_INVALID_KEY:
      throw new Refusal(400, messages.invalidKey());
    default:
      throw new Refusal(500, messages.unexpected());
  }
}
