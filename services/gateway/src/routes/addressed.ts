import { isObjectTypeName, parseKey } from '@cadastre/rpsl';
import { type ObjectName, objectName } from '../clients/lookup-cache.js';
import { Refusal } from '../errors.js';
import type { Target } from '../locator.js';
import { messages } from '../messages.js';

type Addressing = Extract<Target, { key: string }>;

/**
 * The name of the object that a path addresses. Throws a Refusal (400) when there can be no object of that type and
 * key; the type is named in full.
 */
export function addressedName({ source, type, key }: Addressing): ObjectName {
  const known = type.toLowerCase();
  if (!isObjectTypeName(known)) throw new Refusal(400, messages.invalidObjectType(type));
  if (/(?:^|\s)-\S/.test(key)) throw new Refusal(400, messages.flagsInKey());
  const parsed = parseKey(known, key);
  if (parsed === undefined) throw new Refusal(400, messages.invalidKey());
  return objectName(source, known, parsed.folded);
}
