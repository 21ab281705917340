import { EnclosingScope } from '@cadastre/proto/objects';
import { type RegistryObject, View } from '@cadastre/proto/registry';
import type { CallOptions } from '@cadastre/service';
import type { Lineage, Registered } from '../domain/registered.js';
import type { Resource } from '../domain/resource.js';
import type { ObjectsClient } from './client.js';
import { readRegistered } from './read-registered.js';

/**
 * What is registered for each resource, in one call for all: the object with exactly its range or the smallest that
 * encloses it, and all that enclose that. Undefined for what is not registered. At most 1,000 resources.
 */
export async function loadLineages(
  objects: ObjectsClient,
  source: string,
  resources: readonly Resource[],
  call: CallOptions,
): Promise<(Lineage | undefined)[]> {
  if (resources.length === 0) return [];
  const { answers } = await objects.batchFindEnclosing(
    {
      source,
      resources: resources.map(({ text }) => text),
      types: [...new Set(resources.map(({ type }) => type))],
      scope: EnclosingScope.ENCLOSING_SCOPE_ALL,
      view: View.VIEW_FILTERED,
    },
    call,
  );
  const read = readOnce();
  return answers.map((answer) => {
    const [found, ...enclosing] = answer.objects.map(read);
    return found && [found, ...enclosing];
  });
}

/** Objects that enclose several of the resources are read once. */
function readOnce(): (object: RegistryObject) => Registered {
  const known = new Map<string, Registered>();
  return (object) => {
    const id = `${object.type} ${object.key}`;
    const one = known.get(id) ?? readRegistered(object);
    known.set(id, one);
    return one;
  };
}
