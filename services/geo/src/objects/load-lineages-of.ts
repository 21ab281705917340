import type { ObjectKey } from '@cadastre/proto/registry';
import { foldKey, type ObjectTypeName, parseKey } from '@cadastre/rpsl';
import type { CallOptions } from '@cadastre/service';
import { type Lineage, referenceId } from '../domain/registered.js';
import { type Resource, readResource } from '../domain/resource.js';
import type { ObjectsClient } from './client.js';
import { loadLineages } from './load-lineages.js';
import { lookUp } from './look-up.js';

/**
 * The objects with these keys, and what encloses them: one call for each source and one for all organisations.
 * Undefined for what does not exist and for types that hold no resources.
 */
export async function loadLineagesOf(
  objects: ObjectsClient,
  keys: readonly ObjectKey[],
  call: CallOptions,
): Promise<(Lineage | undefined)[]> {
  const lineages = new Map<ObjectKey, Lineage | undefined>();
  for (const [source, asked] of bySource(keys)) {
    const found = await loadLineages(
      objects,
      source,
      asked.map(({ resource }) => resource),
      call,
    );
    for (const [position, { key }] of asked.entries()) lineages.set(key, exactly(key, found[position]));
  }
  const organisations = keys.filter(({ type }) => isType(type, 'organisation'));
  const loaded = await lookUp(objects, organisations.map(asOrganisation), call);
  for (const key of organisations) {
    const one = loaded.get(referenceId(asOrganisation(key)));
    lineages.set(key, one && [one]);
  }
  return keys.map((key) => lineages.get(key));
}

interface Asked {
  readonly key: ObjectKey;
  readonly resource: Resource;
}

function bySource(keys: readonly ObjectKey[]): Map<string, Asked[]> {
  const asked = keys.flatMap((key) => {
    const resource = readResource(key.key);
    return resource && isType(key.type, resource.type) ? [{ key, resource }] : [];
  });
  return Map.groupBy(asked, ({ key }) => key.source.toUpperCase());
}

/** Only when the first is the object itself, not one that encloses it. */
function exactly({ key }: ObjectKey, lineage: Lineage | undefined): Lineage | undefined {
  if (lineage === undefined) return undefined;
  const { object, id } = lineage[0];
  return parseKey(object.type, key)?.folded === foldKey(object.type, id.key) ? lineage : undefined;
}

function asOrganisation(key: ObjectKey): ObjectKey {
  return { ...key, type: 'organisation' };
}

function isType(name: string, type: ObjectTypeName): boolean {
  return name.toLowerCase() === type;
}
