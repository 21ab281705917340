import {
  type HierarchyServiceService,
  LookupStatus,
  type ObjectReaderServiceService,
  RelatedObjects,
} from '@cadastre/proto/objects';
import { type ObjectKey, type RegistryObject, View } from '@cadastre/proto/registry';
import {
  abuseRoleReference,
  type HolderPolicy,
  organisationReference,
  parseObject,
  type Registered,
  referenceId,
} from '@cadastre/rpsl';
import type { CallOptions, RpcClient } from '@cadastre/service';
import type { FindLineages } from './lineages-in-index.js';

/** The methods of the objects service that find what decides about resources. */
export type ObjectsClient = Pick<RpcClient<typeof HierarchyServiceService>, 'batchFindEnclosing'> &
  Pick<RpcClient<typeof ObjectReaderServiceService>, 'batchLookup'>;

/** What decides about resources: the objects, and what the registry says of them. */
export interface Registry {
  readonly objects: ObjectsClient;
  readonly policy: HolderPolicy;
  /** Absent when each read of the index is a call, as in a cluster. */
  readonly findLineages?: FindLineages | undefined;
}

const maxLookups = 1000;

/** Objects by their `referenceId`. */
export type Loaded = ReadonlyMap<string, Registered>;

type Reference = (one: Registered) => ObjectKey | undefined;

/** The references to follow, first from the objects themselves, then from the objects found so far. */
const steps: { readonly [related in RelatedObjects]?: readonly (readonly Reference[])[] } = {
  [RelatedObjects.RELATED_OBJECTS_ORGANISATIONS]: [[organisationReference]],
  [RelatedObjects.RELATED_OBJECTS_ABUSE_CONTACTS]: [[organisationReference, abuseRoleReference], [abuseRoleReference]],
};

/** Adds the missing objects that the objects refer to to `known`. */
export async function loadRelated(
  objects: ObjectsClient,
  from: readonly Registered[],
  related: RelatedObjects,
  known: Loaded,
  call: CallOptions,
): Promise<Loaded> {
  const loaded = new Map(known);
  let referring = from;
  for (const step of steps[related] ?? []) {
    const references = referring.flatMap((one) => step.flatMap((reference) => reference(one) ?? []));
    const missing = references.filter((reference) => !loaded.has(referenceId(reference)));
    for (const [id, one] of await lookUp(objects, missing, call)) loaded.set(id, one);
    referring = references.flatMap((reference) => loaded.get(referenceId(reference)) ?? []);
  }
  return loaded;
}

/** Looks up references, a thousand at a time, each once. Omits missing and unreadable objects. */
export async function lookUp(
  objects: ObjectsClient,
  references: readonly ObjectKey[],
  call: CallOptions,
): Promise<Loaded> {
  const wanted = [...new Map(references.map((reference) => [referenceId(reference), reference]))];
  const loaded = new Map<string, Registered>();
  while (wanted.length > 0) {
    const page = wanted.splice(0, maxLookups);
    const lookups = page.map(([, key]) => ({ key, view: View.VIEW_FILTERED, withContacts: false }));
    const { answers } = await objects.batchLookup({ lookups }, call);
    for (const [position, { status, object }] of answers.entries()) {
      if (status === LookupStatus.LOOKUP_STATUS_ASK_AGAIN) wanted.push(page[position]!);
      const one = object && readRegistered(object);
      if (one !== undefined) loaded.set(page[position]![0], one);
    }
  }
  return loaded;
}

/** Parses an object of the objects service; undefined when its text does not parse. */
export function readRegistered({ source, type, key, text }: RegistryObject): Registered | undefined {
  const parsed = parseObject(text);
  return parsed.ok ? { id: { source, type, key }, object: parsed.object } : undefined;
}
