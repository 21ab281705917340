import type { SubmittedAttribute } from '@cadastre/client';
import { create, update, type WriteAnswer, type WriteOptions } from '../api/objects.js';
import type { ObjectName } from '../paths.js';

/** The destination of a write: a new object of a type, or an existing object. */
export type Destination = { readonly source: string; readonly type: string } | ObjectName;

/** Writes an object or performs a dry run. Throws a RequestFailed without a response about the object. */
export function write(
  to: Destination,
  attributes: readonly SubmittedAttribute[],
  options: WriteOptions,
): Promise<WriteAnswer> {
  return 'key' in to ? update(to, attributes, options) : create(to.source, to.type, attributes, options);
}
