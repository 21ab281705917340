import type { CallOptions } from '@cadastre/service';
import {
  abuseRoleReference,
  type Find,
  type Lineage,
  organisationReference,
  referenceId,
} from '../domain/registered.js';
import type { ObjectsClient } from './client.js';
import { type Loaded, lookUp } from './look-up.js';

/** The organisations of the objects. */
export async function loadOrganisations(
  objects: ObjectsClient,
  lineages: readonly Lineage[],
  call: CallOptions,
): Promise<Find> {
  const named = [...new Set(lineages.flat())];
  return findIn(
    await lookUp(
      objects,
      named.flatMap((one) => organisationReference(one) ?? []),
      call,
    ),
  );
}

/** The organisations of the objects, and the abuse contacts of both. */
export async function loadContacts(
  objects: ObjectsClient,
  lineages: readonly Lineage[],
  call: CallOptions,
): Promise<Find> {
  const named = [...new Set(lineages.flat())];
  const direct = await lookUp(
    objects,
    named.flatMap((one) => [organisationReference(one) ?? [], abuseRoleReference(one) ?? []].flat()),
    call,
  );
  const further = [...direct.values()]
    .filter(({ object }) => object.type === 'organisation')
    .flatMap((one) => abuseRoleReference(one) ?? [])
    .filter((reference) => !direct.has(referenceId(reference)));
  return findIn(new Map([...direct, ...(await lookUp(objects, further, call))]));
}

function findIn(loaded: Loaded): Find {
  return (reference) => loaded.get(referenceId(reference));
}
