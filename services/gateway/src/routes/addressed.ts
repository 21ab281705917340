import { isObjectTypeName, parseKey } from '@cadastre/rpsl';
import { type ObjectName, objectName } from '../clients/lookup-cache.js';
import type { Context } from '../context.js';
import { Refusal } from '../errors.js';
import type { Exchange } from '../exchange.js';
import type { Target } from '../locator.js';
import { messages } from '../messages.js';

type Addressing = Extract<Target, { key: string }>;

/**
 * The name of the object that a path addresses. Throws a Refusal (400) when there can be no object of that source,
 * type and key, in this order; the type is named in full.
 */
export function addressedName(context: Context, exchange: Exchange<Addressing>): Promise<ObjectName> {
  return sourceFirst(context, exchange, () => nameOf(exchange.target));
}

function nameOf({ source, type, key }: Addressing): ObjectName {
  const known = type.toLowerCase();
  if (!isObjectTypeName(known)) throw new Refusal(400, messages.invalidObjectType(type));
  if (/(?:^|\s)-\S/.test(key)) throw new Refusal(400, messages.flagsInKey());
  const parsed = parseKey(known, key);
  if (parsed === undefined) throw new Refusal(400, messages.invalidKey());
  return objectName(source, known, parsed.folded);
}

/**
 * Checks something about a request. That its source is unknown is said before what the check has to say; the sources
 * are asked for only when it refuses.
 */
export async function sourceFirst<T>(
  { reader, settings }: Pick<Context, 'reader' | 'settings'>,
  { request, target }: Exchange<Extract<Target, { source: string }>>,
  check: () => T,
): Promise<T> {
  try {
    return check();
  } catch (refusal) {
    const options = { deadlineMs: settings.readDeadline, requestId: request.id };
    const { sources } = await reader.listSources({}, options);
    const name = target.source.toUpperCase();
    const known = sources.some((source) => source.name.toUpperCase() === name);
    throw known ? refusal : new Refusal(400, messages.invalidSource(target.source));
  }
}
