import { LookupStatus } from '@cadastre/proto/objects';
import type { ObjectKey, RegistryObject } from '@cadastre/proto/registry';
import { asciiUpperCase, isNonAuthoritative, nonAuthoritativeName, ownMirrorName, parseObject } from '@cadastre/rpsl';
import type { Context } from '../context.js';
import { HttpError } from '../errors.js';
import { messages } from '../ripe-messages.js';
import type { RouteRequest } from '../route.js';
import { isMainPart, type ObjectParameters } from './object-address.js';

/** The answer to a lookup. */
export interface LookupOutcome {
  readonly status: LookupStatus;
  readonly object?: RegistryObject | undefined;
}

/** Looks up an object. The name of a part of the main source means that source, unless a mirror has the name. */
export async function inPart<L extends { readonly key?: ObjectKey | undefined }, A extends LookupOutcome>(
  { settings }: Pick<Context, 'settings'>,
  lookup: L,
  lookUp: (lookup: L) => Promise<A>,
): Promise<A> {
  const answer = await lookUp(lookup);
  const { key } = lookup;
  const isPart =
    answer.status === LookupStatus.LOOKUP_STATUS_UNKNOWN_SOURCE && isMainPart(settings.source, key!.source);
  return isPart ? lookUp({ ...lookup, key: { ...key!, source: settings.source } }) : answer;
}

/**
 * The object that a lookup has found for a path. Throws an HttpError: 400 or 404 when there is none, 301 or 404 when it
 * is in the other part of the main source.
 */
export function addressedObject(
  { settings }: Pick<Context, 'settings'>,
  request: RouteRequest<ObjectParameters>,
  answer: LookupOutcome,
): RegistryObject {
  return ofPart(settings.source, request, foundObject(answer, request.params));
}

/** The types that a lookup in the wrong part of the main source is redirected for. */
const movedTypes: ReadonlySet<string> = new Set(['aut-num', 'route', 'route6']);

function ofPart(
  main: string,
  { base, link, params }: RouteRequest<ObjectParameters>,
  found: RegistryObject,
): RegistryObject {
  if (asciiUpperCase(found.source) !== asciiUpperCase(main)) return found;
  const parsed = /-NONAUTH/i.test(found.text) ? parseObject(found.text) : undefined;
  const isOther = parsed?.ok === true && isNonAuthoritative(parsed.object, main);
  const requested = asciiUpperCase(params.source);
  if (isOther === (requested === nonAuthoritativeName(main))) return found;
  if (!movedTypes.has(found.type) || requested === ownMirrorName(main)) {
    throw new HttpError(404, messages.noEntries(requested));
  }
  const other = isOther ? nonAuthoritativeName(main) : asciiUpperCase(main);
  const location = `${base}/${other}/${found.type}/${found.key}${new URL(link).search}`;
  throw new HttpError(301, messages.otherSource(other), { location });
}

function foundObject({ status, object }: LookupOutcome, { source, objectType }: ObjectParameters): RegistryObject {
  switch (status) {
    case LookupStatus.LOOKUP_STATUS_FOUND:
      if (object) return object;
      throw new HttpError(500, messages.unexpected());
    case LookupStatus.LOOKUP_STATUS_NOT_FOUND:
    case LookupStatus.LOOKUP_STATUS_INVALID_KEY:
      throw new HttpError(404, messages.noEntries(asciiUpperCase(source)));
    case LookupStatus.LOOKUP_STATUS_UNKNOWN_SOURCE:
      throw new HttpError(400, messages.invalidSource(source));
    case LookupStatus.LOOKUP_STATUS_UNKNOWN_TYPE:
      throw new HttpError(400, messages.invalidObjectType(objectType));
    default:
      throw new HttpError(500, messages.unexpected());
  }
}
