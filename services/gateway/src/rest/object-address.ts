import {
  asciiLowerCase,
  asciiUpperCase,
  isObjectTypeName,
  nonAuthoritativeName,
  ownMirrorName,
  parseForeignKey,
  parseKey,
} from '@cadastre/rpsl';
import { readCall } from '../backends/call-options.js';
import { type ObjectName, objectName } from '../backends/lookup-cache.js';
import type { Context } from '../context.js';
import { HttpError } from '../errors.js';
import { messages } from '../ripe-messages.js';
import type { RouteRequest } from '../route.js';

/** Whether a name is that of a part of the main source. */
export function isMainPart(main: string, name: string): boolean {
  return [nonAuthoritativeName(main), ownMirrorName(main)].includes(asciiUpperCase(name));
}

/** The parameters of a path that names a source. */
export type SourceParameters = Readonly<Record<'source', string>>;
/** The parameters of a path that names an object. */
export type ObjectParameters = Readonly<Record<'source' | 'objectType' | 'key', string>>;

/** The object that a path names, for requests to services. */
export function objectKeyOf({ params: { source, objectType: type, key } }: { readonly params: ObjectParameters }) {
  return { source, type, key };
}

/**
 * The name of the object that a read addresses. Throws an HttpError: 400 when the source or type cannot exist, 404 when no
 * object of the type can have the key (decision W21); the first of these that is wrong decides.
 */
export function addressedName(context: Context, request: RouteRequest<ObjectParameters>): Promise<ObjectName> {
  return sourceFirst(context, request, () => nameOf(context.settings.source, request.params));
}

function nameOf(main: string, { source, objectType, key }: ObjectParameters): ObjectName {
  const known = asciiLowerCase(objectType);
  if (!isObjectTypeName(known)) throw new HttpError(400, messages.invalidObjectType(objectType));
  if (/(?:^|\s)-\S/.test(key)) throw new HttpError(400, messages.flagsInKey());
  // Other registries have their own names. Objects refuses those that are none of the main source's.
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
  const { sources } = await context.reader.listSources({}, readCall(context, request));
  const name = asciiUpperCase(params.source);
  const isPart = facts.name === 'object' && isMainPart(context.settings.source, name);
  const known = isPart || sources.some((source) => asciiUpperCase(source.name) === name);
  if (!known) throw new HttpError(400, messages.invalidSource(params.source));
}
