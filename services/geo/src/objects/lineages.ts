import { EnclosingScope } from '@cadastre/proto/objects';
import { type ObjectKey, type RegistryObject, View } from '@cadastre/proto/registry';
import { asciiLowerCase, asciiUpperCase, foldKey, type ObjectTypeName, parseKey } from '@cadastre/rpsl';
import type { CallOptions } from '@cadastre/service';
import { type Lineage, type Registered, referenceId } from '../domain/registered.js';
import { type Resource, readResource } from '../domain/resource.js';
import type { ObjectsClient } from './client.js';
import { lookUp, readRegistered } from './references.js';

/** The lineage of a requested resource, or why there is none. */
export type RegisteredFor =
  | { readonly outcome: 'registered'; readonly lineage: Lineage }
  | { readonly outcome: 'unregistered' }
  | { readonly outcome: 'no resource' };

/** Loads the lineages of up to 1,000 requested resources of a source, in order, in one call; each text once. */
export async function loadRegisteredFor(
  objects: ObjectsClient,
  source: string,
  asked: readonly string[],
  read: (text: string) => Resource | undefined,
  call: CallOptions,
): Promise<RegisteredFor[]> {
  const resources = asked.map(read);
  const understood = new Map(resources.flatMap((resource) => (resource ? [[resource.text, resource]] : [])));
  const loaded = await loadLineages(objects, source, [...understood.values()], call);
  const lineages = new Map([...understood.keys()].map((text, position) => [text, loaded[position]]));
  return resources.map((resource) => {
    if (resource === undefined) return { outcome: 'no resource' };
    const lineage = lineages.get(resource.text);
    return lineage === undefined ? { outcome: 'unregistered' } : { outcome: 'registered', lineage };
  });
}

/**
 * Loads the objects with these keys and the objects that enclose them: one call for each source and one for all
 * organisations. Undefined for missing objects and for types without resources.
 */
export async function loadLineagesOf(
  objects: ObjectsClient,
  keys: readonly ObjectKey[],
  call: CallOptions,
): Promise<(Lineage | undefined)[]> {
  const lineages = new Map<ObjectKey, Lineage | undefined>();
  for (const [source, asked] of bySource(keys)) {
    const resources = asked.map(({ resource }) => resource);
    const found = await loadLineages(objects, source, resources, call);
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

/**
 * Loads for each resource the object with exactly its range, or the smallest that encloses it, and all objects that
 * enclose that one. Undefined for unregistered resources.
 */
async function loadLineages(
  objects: ObjectsClient,
  source: string,
  resources: readonly Resource[],
  call: CallOptions,
): Promise<(Lineage | undefined)[]> {
  if (resources.length === 0) return [];
  const { answers, objects: found } = await objects.batchFindEnclosing(
    {
      source,
      resources: resources.map(({ text }) => text),
      types: [...new Set(resources.map(({ type }) => type))],
      scope: EnclosingScope.ENCLOSING_SCOPE_ALL,
      view: View.VIEW_FILTERED,
      shareObjects: true,
    },
    call,
  );
  const registered = await readShared(objects, found, call);
  return answers.map(({ positions }) => {
    const [first, ...enclosing] = positions.map((position) => registered[position]);
    // Space has no lineage when its own object is unreadable; unreadable enclosing objects are skipped.
    return first && [first, ...enclosing.filter((one) => one !== undefined)];
  });
}

/** Reads each object once; looks up those that came without text. */
async function readShared(
  objects: ObjectsClient,
  shared: readonly RegistryObject[],
  call: CallOptions,
): Promise<(Registered | undefined)[]> {
  const left = shared.filter(({ text }) => text === '');
  const lookedUp = await lookUp(objects, left, call);
  return shared.map((one) => (one.text === '' ? lookedUp.get(referenceId(one)) : readRegistered(one)));
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
  return Map.groupBy(asked, ({ key }) => asciiUpperCase(key.source));
}

/** The lineage if its first object is the requested one, not one that encloses it. */
function exactly({ key }: ObjectKey, lineage: Lineage | undefined): Lineage | undefined {
  if (lineage === undefined) return undefined;
  const { object, id } = lineage[0];
  return parseKey(object.type, key)?.folded === foldKey(object.type, id.key) ? lineage : undefined;
}

function asOrganisation(key: ObjectKey): ObjectKey {
  return { ...key, type: 'organisation' };
}

function isType(name: string, type: ObjectTypeName): boolean {
  return asciiLowerCase(name) === type;
}
