import type { Location } from '@cadastre/proto/geo';
import type { CallOptions } from '@cadastre/service';
import type { Context } from '../context.js';
import { locationOf } from '../domain/location.js';
import { readAddresses } from '../domain/resource.js';
import { loadOrganisations } from '../objects/load-referenced.js';
import { type RegisteredFor, registeredFor } from './registered-for.js';

/** What is said about where the addresses are that a text names. */
export interface LocationFor {
  readonly outcome: RegisteredFor['outcome'];
  readonly location: Location | undefined;
}

/** For each text, in their order. */
export async function locationsFor(
  context: Context,
  asked: readonly string[],
  call: CallOptions,
): Promise<LocationFor[]> {
  const registered = await registeredFor(context, asked, readAddresses, call);
  const lineages = registered.flatMap((one) => (one.outcome === 'registered' ? [one.lineage] : []));
  const find = await loadOrganisations(context.objects, lineages, call);
  return registered.map((one) => ({
    outcome: one.outcome,
    location: one.outcome === 'registered' ? locationOf(one.lineage, find) : undefined,
  }));
}
