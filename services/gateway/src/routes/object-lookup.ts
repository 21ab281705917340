import { type Lookup, LookupStatus } from '@cadastre/proto/objects';
import { type RegistryObject, View } from '@cadastre/proto/registry';
import { asciiUpperCase, isNonAuthoritative, nonAuthoritativeName, ownMirrorName, parseObject } from '@cadastre/rpsl';
import type { ObjectName, PendingLookup } from '../backends/lookup-cache.js';
import type { Context } from '../context.js';
import { HttpError } from '../errors.js';
import { foundEntry, objectEntry } from '../format/object.js';
import { render } from '../format/render.js';
import { isPersonal } from '../limits/personal-objects.js';
import { messages } from '../messages.js';
import { readContent, whoisResources } from '../openapi/content.js';
import { cacheKeyOf } from '../plugins/cache.js';
import { entityTag } from '../plugins/etag.js';
import { countIfPersonal } from '../plugins/limits.js';
import { parameter } from '../plugins/parameters.js';
import type { RouteReply } from '../plugins/reply.js';
import { acceptedEncodings } from '../plugins/reply-headers.js';
import { annotate, annotationQuery, requestedAnnotations } from './annotations.js';
import { addressedName, isMainPart, type ObjectParameters, objectKeyOf } from './object-address.js';
import type { Route, RouteRequest } from './route.js';

const query = {
  unfiltered: parameter.flag(
    'Shows the attributes that a filtered object omits: `e-mail`, `notify` and others that name people. Only a client that authenticates as a mntner sees its `auth`.',
  ),
  unformatted: parameter.flag('Shows values as submitted, with their spaces, line ends and comments.'),
  ...annotationQuery,
};

type LookupRequest = RouteRequest<ObjectParameters, typeof query>;

/** GET of one object. */
export const objectLookup: Route<ObjectParameters, typeof query> = {
  id: 'lookUpObject',
  tag: 'Objects',
  summary: 'Look up one object',
  doc: 'Returns the object with exactly this key; for address space, it does not look for an enclosing object. The object is filtered unless the request has `unfiltered`. A warning says so when requested annotations are not available.',
  query,
  success: { doc: 'The object.', content: readContent(whoisResources('objects')) },
  refusals: {
    301: 'The aut-num, route or route6 is in the other part of the main source: see `/metadata/sources`.',
    404: 'The object does not exist.',
  },
  credentials: 'optional',
  showsObjects: true,
  isCached: true,
  handler: lookUpObject,
};

/** Handles a request that missed the cache (plugins/cache.ts). */
async function lookUpObject(context: Context, request: LookupRequest): Promise<RouteReply> {
  const { params, format, base, principal } = request;
  const { unfiltered, unformatted } = request.query;
  // Text has no place for annotations.
  const isAnnotated = format !== 'text' && Object.values(requestedAnnotations(request.query)).includes(true);
  // Changes of other objects change annotations.
  const isCacheable = principal === undefined && !unfiltered && !isAnnotated;
  const name = await addressedName(context, request);
  const lookup: Lookup = {
    key: objectKeyOf(request),
    view: unfiltered ? View.VIEW_UNFILTERED : View.VIEW_FILTERED,
    withContacts: format !== 'text',
    principal,
  };
  const pending = isCacheable ? beginKeeping(context, params.source, name) : undefined;
  try {
    const found = ofPart(context, request, foundObject(await lookUpIn(context, lookup), params));
    const tooMany = await countIfPersonal(context, request, found);
    if (tooMany) throw tooMany;
    const view = { base, unformatted };
    const annotated = isAnnotated ? await annotate(context, request, found) : undefined;
    const entry = annotated ? foundEntry(annotated.found, view) : objectEntry(found, view);
    const tail = { terms: context.settings.termsUrl, version: context.version };
    const resource = { head: {}, objects: entry ? [entry] : [], messages: annotated?.messages ?? [], tail };
    const body = Buffer.from(render(format, resource));
    const tag = entityTag(body);
    const coding = isCacheable ? context.compressor.codingFor(body, acceptedEncodings(request)) : undefined;
    const content = coding ? await context.compressor.compress(body, coding) : body;
    pending?.store(cacheKeyOf(request), { format, content, coding, entityTag: tag, isPersonal: isPersonal(found) });
    return { status: 200, content, coding, entityTag: tag };
  } finally {
    pending?.end();
  }
}

/** Looks up an object. The name of a part of the main source means that source, unless a mirror has the name. */
async function lookUpIn({ lookUp, settings }: Context, lookup: Lookup) {
  const answer = await lookUp(lookup);
  const { key } = lookup;
  const isPart =
    answer.status === LookupStatus.LOOKUP_STATUS_UNKNOWN_SOURCE && isMainPart(settings.source, key!.source);
  return isPart ? lookUp({ ...lookup, key: { ...key!, source: settings.source } }) : answer;
}

/** The types that a lookup in the wrong part of the main source is redirected for. */
const movedTypes: ReadonlySet<string> = new Set(['aut-num', 'route', 'route6']);

/** Returns an object of the main source if the path names its part. Throws an HttpError (301, 404). */
function ofPart(
  { settings: { source: main } }: Context,
  { base, link, params }: LookupRequest,
  found: RegistryObject,
): RegistryObject {
  if (asciiUpperCase(found.source) !== asciiUpperCase(main)) return found;
  const parsed = /-NONAUTH/i.test(found.text) ? parseObject(found.text) : undefined;
  const isOther = parsed?.ok === true && isNonAuthoritative(parsed.object, main);
  const asked = asciiUpperCase(params.source);
  if (isOther === (asked === nonAuthoritativeName(main))) return found;
  if (!movedTypes.has(found.type) || asked === ownMirrorName(main)) {
    throw new HttpError(404, messages.noEntries(asked));
  }
  const other = isOther ? nonAuthoritativeName(main) : asciiUpperCase(main);
  const location = `${base}/${other}/${found.type}/${found.key}${new URL(link).search}`;
  throw new HttpError(301, messages.otherSource(other), { location });
}

/** Only what is asked for again is kept: most objects of a walk over the registry never are. */
function beginKeeping(context: Context, source: string, name: ObjectName): PendingLookup | undefined {
  context.metrics.cached(false);
  return context.askedNames.noteAgain(name) ? context.cache.begin(source, name) : undefined;
}

function foundObject(
  { status, object }: { status: LookupStatus; object?: RegistryObject | undefined },
  { source, objectType }: ObjectParameters,
): RegistryObject {
  switch (status) {
    case LookupStatus.LOOKUP_STATUS_FOUND:
      if (object) return object;
      throw new HttpError(500, messages.unexpected());
    case LookupStatus.LOOKUP_STATUS_NOT_FOUND:
      throw new HttpError(404, messages.noEntries(asciiUpperCase(source)));
    case LookupStatus.LOOKUP_STATUS_UNKNOWN_SOURCE:
      throw new HttpError(400, messages.invalidSource(source));
    case LookupStatus.LOOKUP_STATUS_UNKNOWN_TYPE:
      throw new HttpError(400, messages.invalidObjectType(objectType));
    case LookupStatus.LOOKUP_STATUS_INVALID_KEY:
      throw new HttpError(400, messages.invalidKey());
    default:
      throw new HttpError(500, messages.unexpected());
  }
}
