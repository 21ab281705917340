import { LookupStatus } from '@cadastre/proto/objects';
import type { ObjectKey, RegistryObject } from '@cadastre/proto/registry';
import {
  asciiLowerCase,
  asciiUpperCase,
  isNonAuthoritative,
  isObjectTypeName,
  nonAuthoritativeName,
  ownMirrorName,
  parseForeignKey,
  parseKey,
  parseObject,
} from '@cadastre/rpsl';
import { shortCall } from '../backends/call-options.js';
import { type ObjectName, objectName } from '../backends/lookup-cache.js';
import type { Context } from '../context.js';
import { HttpError } from '../errors.js';
import { messages } from '../ripe-messages.js';
import type { RouteRequest } from '../route.js';

/** Whether a name is that of a part of the main source. */
function isMainPart(main: string, name: string): boolean {
  return [nonAuthoritativeName(main), ownMirrorName(main)].includes(asciiUpperCase(name));
}

/** The parameters of a path that names a source. */
export type SourceParameters = Readonly<Record<'source', string>>;
/** The parameters of a path that names an object. */
export type ObjectParameters = Readonly<Record<'source' | 'objectType' | 'key', string>>;

/** The object of a path, for requests to services. */
export function objectKeyOf({ params: { source, objectType: type, key } }: { readonly params: ObjectParameters }) {
  return { source, type, key };
}

/**
 * The name of the object that a read addresses. Throws an HttpError: 400 when the source or type cannot exist, 404 when
 * no object of the type can have the key (decision W21); the first invalid one determines the error.
 */
export function requireObjectName(context: Context, request: RouteRequest<ObjectParameters>): Promise<ObjectName> {
  return sourceFirst(context, request, () => nameOf(context.settings.source, request.params));
}

function nameOf(main: string, { source, objectType, key }: ObjectParameters): ObjectName {
  const known = asciiLowerCase(objectType);
  if (!isObjectTypeName(known)) throw new HttpError(400, messages.invalidObjectType(objectType));
  if (/(?:^|\s)-\S/.test(key)) throw new HttpError(400, messages.flagsInKey());
  // Other registries have their own names. The objects service refuses invalid names of the main source.
  const parse = asciiUpperCase(source) === asciiUpperCase(main) ? parseKey : parseForeignKey;
  const parsed = parse(known, key);
  if (parsed === undefined) throw new HttpError(404, messages.noEntries(asciiUpperCase(source)));
  return objectName(source, known, parsed.folded);
}

/**
 * Runs a check that throws when it fails. If the source of the request is unknown, throws that (400) instead of the
 * failure. Fetches the sources only for failed checks.
 */
export async function sourceFirst<T>(
  context: Pick<Context, 'reader' | 'settings'>,
  request: RouteRequest<SourceParameters>,
  check: () => T,
): Promise<T> {
  try {
    return check();
  } catch (refusal) {
    await requireSource(context, request);
    throw refusal;
  }
}

/** Throws an HttpError (400) when the source of a request is unknown. Fetches the sources. */
export async function requireSource(
  context: Pick<Context, 'reader' | 'settings'>,
  request: RouteRequest<SourceParameters>,
): Promise<void> {
  const { params, facts } = request;
  const { sources } = await context.reader.listSources({}, shortCall(context, request));
  const name = asciiUpperCase(params.source);
  const isPart = facts.name === 'object' && isMainPart(context.settings.source, name);
  const known = isPart || sources.some((source) => asciiUpperCase(source.name) === name);
  if (!known) throw new HttpError(400, messages.invalidSource(params.source));
}

/** The answer to a lookup. */
interface LookupOutcome {
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
 * The object of a lookup. Throws an HttpError: 400 or 404 when there is none, 301 or 404 when it is in the other part
 * of the main source.
 */
export function addressedObject(
  { settings }: Pick<Context, 'settings'>,
  request: RouteRequest<ObjectParameters>,
  answer: LookupOutcome,
): RegistryObject {
  return ofPart(settings.source, request, foundObject(answer, request.params));
}

/** The types for which a lookup in the wrong part of the main source is redirected. */
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
