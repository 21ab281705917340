import type { ObjectKey } from '@cadastre/proto/registry';
import { CommandFailure } from '../failure.js';

/** The key of an object that is named as type/key. Throws a CommandFailure. */
export function parseKey(source: string, object: string): ObjectKey {
  const slash = object.indexOf('/');
  if (slash < 1) throw new CommandFailure(`"${object}" does not have the form type/key`);
  return { source, type: object.slice(0, slash), key: object.slice(slash + 1) };
}
