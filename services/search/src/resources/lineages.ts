import { type BatchFindEnclosingResponse, EnclosingScope, type Excerpt } from '@cadastre/proto/objects';
import { type ObjectKey, type RegistryObject, View } from '@cadastre/proto/registry';
import {
  asciiLowerCase,
  asciiUpperCase,
  type Find,
  foldKey,
  type Lineage,
  type ObjectTypeName,
  parseKey,
  type Registered,
  referenceId,
} from '@cadastre/rpsl';
import type { Call, CallOptions } from '@cadastre/service';
import type { FoundLineages, Reading } from './lineages-in-index.js';
import { type Loaded, loadRelated, lookUp, type ObjectsClient, type Registry, readRegistered } from './references.js';
import { type Resource, readResource } from './resource.js';

/** The lineage of a requested resource, or why there is none. */
export type RegisteredFor =
  | { readonly outcome: 'registered'; readonly lineage: Lineage }
  | { readonly outcome: 'unregistered' }
  | { readonly outcome: 'no resource' };

/**
 * Loads the lineages of up to 1,000 requested resources of the main source, in order, each text once: from the index if
 * the request permits it (`reading`) and the index can answer, else in one call of the objects service.
 */
export async function loadRegisteredFor(
  { objects, policy, findLineages }: Registry,
  requested: readonly string[],
  read: (text: string) => Resource | undefined,
  excerpt: Excerpt,
  call: CallOptions & Pick<Call, 'signal'>,
  reading?: Reading,
): Promise<{ readonly registered: RegisteredFor[]; readonly find: Find }> {
  const resources = requested.map(read);
  const understood = new Map(resources.flatMap((resource) => (resource ? [[resource.text, resource]] : [])));
  const different = [...understood.values()];
  const found =
    (reading && (await findLineages?.(different, reading, call.signal))) ??
    (await loadLineages(objects, policy.mainSource, different, excerpt, call));
  const lineages = new Map([...understood.keys()].map((text, position) => [text, found.lineages[position]]));
  const registered = resources.map((resource): RegisteredFor => {
    if (resource === undefined) return { outcome: 'no resource' };
    const lineage = lineages.get(resource.text);
    return lineage === undefined ? { outcome: 'unregistered' } : { outcome: 'registered', lineage };
  });
  return { registered, find: found.find };
}

/**
 * Loads the objects with these keys and the objects that enclose them: one call for each source and one for all
 * organisations. Undefined for missing objects and for types without resources.
 */
export async function loadLineagesOf(
  objects: ObjectsClient,
  keys: readonly ObjectKey[],
  excerpt: Excerpt,
  call: CallOptions,
): Promise<{ readonly lineages: (Lineage | undefined)[]; readonly find: Find }> {
  const lineages = new Map<ObjectKey, Lineage | undefined>();
  const known = new Map<string, Registered>();
  for (const [source, requested] of bySource(keys)) {
    const resources = requested.map(({ resource }) => resource);
    const found = await loadLineages(objects, source, resources, excerpt, call);
    for (const [position, { key }] of requested.entries()) lineages.set(key, exactly(key, found.lineages[position]));
    for (const [id, one] of found.related) known.set(id, one);
  }
  const organisations = keys.filter(({ type }) => isType(type, 'organisation'));
  const loaded = await lookUp(objects, organisations.map(asOrganisation), call);
  for (const key of organisations) {
    const one = loaded.get(referenceId(asOrganisation(key)));
    lineages.set(key, one && [one]);
  }
  const related = await loadRelated(objects, [...loaded.values()], excerpt.related, known, call);
  return { lineages: keys.map((key) => lineages.get(key)), find: findIn(related) };
}

/**
 * Loads for each resource the object with exactly its range, or the smallest that encloses it, and all objects that
 * enclose that one. Undefined for unregistered resources.
 */
async function loadLineages(
  objects: ObjectsClient,
  source: string,
  resources: readonly Resource[],
  excerpt: Excerpt,
  call: CallOptions,
): Promise<FoundLineages & { readonly related: Loaded }> {
  if (resources.length === 0) return { lineages: [], related: new Map(), find: () => undefined };
  const found = await objects.batchFindEnclosing(
    {
      source,
      resources: resources.map(({ text }) => text),
      types: [...new Set(resources.map(({ type }) => type))],
      scope: EnclosingScope.ENCLOSING_SCOPE_ALL,
      view: View.VIEW_FILTERED,
      shareObjects: true,
      excerpt,
    },
    call,
  );
  const { registered, related } = await readShared(objects, found, excerpt, call);
  const lineages = found.answers.map(({ positions }): Lineage | undefined => {
    const [first, ...enclosing] = positions.map((position) => registered[position]);
    // Space has no lineage when its own object is unreadable; unreadable enclosing objects are skipped.
    return first && [first, ...enclosing.filter((one) => one !== undefined)];
  });
  return { lineages, related, find: findIn(related) };
}

/** Reads each object once; looks up those that came without text, and what these refer to. */
async function readShared(
  objects: ObjectsClient,
  found: Pick<BatchFindEnclosingResponse, 'objects' | 'related'>,
  excerpt: Excerpt,
  call: CallOptions,
): Promise<{ readonly registered: (Registered | undefined)[]; readonly related: Loaded }> {
  const related = new Map(found.related.flatMap(readWithId));
  if (![...found.objects, ...found.related].some(isWithoutText)) {
    return { registered: found.objects.map(readRegistered), related };
  }
  const lookedUp = await lookUp(objects, found.objects.filter(isWithoutText), call);
  const registered = found.objects.map((one) =>
    isWithoutText(one) ? lookedUp.get(referenceId(one)) : readRegistered(one),
  );
  const readable = registered.filter((one) => one !== undefined);
  return { registered, related: await loadRelated(objects, readable, excerpt.related, related, call) };
}

function isWithoutText({ text }: RegistryObject): boolean {
  return text === '';
}

function readWithId(object: RegistryObject): [string, Registered][] {
  const one = readRegistered(object);
  return one ? [[referenceId(object), one]] : [];
}

function findIn(loaded: Loaded): Find {
  return (reference) => loaded.get(referenceId(reference));
}

interface Requested {
  readonly key: ObjectKey;
  readonly resource: Resource;
}

function bySource(keys: readonly ObjectKey[]): Map<string, Requested[]> {
  const requested = keys.flatMap((key) => {
    const resource = readResource(key.key);
    return resource && isType(key.type, resource.type) ? [{ key, resource }] : [];
  });
  return Map.groupBy(requested, ({ key }) => asciiUpperCase(key.source));
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
