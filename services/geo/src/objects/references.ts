import { LookupStatus } from '@cadastre/proto/objects';
import { type ObjectKey, type RegistryObject, View } from '@cadastre/proto/registry';
import { parseObject } from '@cadastre/rpsl';
import type { CallOptions } from '@cadastre/service';
import {
  abuseRoleReference,
  type Find,
  type Lineage,
  organisationReference,
  type Registered,
  referenceId,
} from '../domain/registered.js';
import type { ObjectsClient } from './client.js';

const maxLookups = 1000;

/** Objects by their `referenceId`. */
type Loaded = ReadonlyMap<string, Registered>;

/** Loads the organisations of the objects. */
export async function loadOrganisations(
  objects: ObjectsClient,
  lineages: readonly Lineage[],
  call: CallOptions,
): Promise<Find> {
  const references = distinct(lineages).flatMap((one) => organisationReference(one) ?? []);
  return findIn(await lookUp(objects, references, call));
}

/** Loads the organisations of the objects, and the abuse contacts of both. */
export async function loadContacts(
  objects: ObjectsClient,
  lineages: readonly Lineage[],
  call: CallOptions,
): Promise<Find> {
  const references = distinct(lineages).flatMap((one) =>
    [organisationReference(one), abuseRoleReference(one)].filter((reference) => reference !== undefined),
  );
  const direct = await lookUp(objects, references, call);
  const ofOrganisations = [...direct.values()]
    .filter(({ object }) => object.type === 'organisation')
    .flatMap((one) => abuseRoleReference(one) ?? [])
    .filter((reference) => !direct.has(referenceId(reference)));
  return findIn(new Map([...direct, ...(await lookUp(objects, ofOrganisations, call))]));
}

/** Looks up references, a thousand at a time. Omits missing and unreadable objects. */
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

function distinct(lineages: readonly Lineage[]): Registered[] {
  return [...new Set(lineages.flat())];
}

function findIn(loaded: Loaded): Find {
  return (reference) => loaded.get(referenceId(reference));
}
