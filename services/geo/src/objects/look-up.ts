import { type ObjectKey, View } from '@cadastre/proto/registry';
import type { CallOptions } from '@cadastre/service';
import { type Registered, referenceId } from '../domain/registered.js';
import type { ObjectsClient } from './client.js';
import { readRegistered } from './read-registered.js';

const maxLookups = 1000;

/** Objects by their `referenceId`. */
export type Loaded = ReadonlyMap<string, Registered>;

/** The objects that exist of those that are referred to, asked for a thousand at a time. */
export async function lookUp(
  objects: ObjectsClient,
  references: readonly ObjectKey[],
  call: CallOptions,
): Promise<Loaded> {
  const wanted = [...new Map(references.map((reference) => [referenceId(reference), reference]))];
  const loaded = new Map<string, Registered>();
  for (let start = 0; start < wanted.length; start += maxLookups) {
    const page = wanted.slice(start, start + maxLookups);
    const lookups = page.map(([, key]) => ({ key, view: View.VIEW_FILTERED, withContacts: false }));
    const { answers } = await objects.batchLookup({ lookups }, call);
    for (const [position, { object }] of answers.entries()) {
      if (object !== undefined) loaded.set(page[position]![0], readRegistered(object));
    }
  }
  return loaded;
}
