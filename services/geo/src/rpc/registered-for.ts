import type { CallOptions } from '@cadastre/service';
import type { Context } from '../context.js';
import type { Lineage } from '../domain/registered.js';
import type { Resource } from '../domain/resource.js';
import { loadLineages } from '../objects/load-lineages.js';

/** What is registered in the main source for a text that somebody sent, or why there is nothing. */
export type RegisteredFor =
  | { readonly outcome: 'registered'; readonly lineage: Lineage }
  | { readonly outcome: 'unregistered' }
  | { readonly outcome: 'no resource' };

/** For each text, in their order: one call for all. */
export async function registeredFor(
  { objects, policy }: Context,
  asked: readonly string[],
  read: (text: string) => Resource | undefined,
  call: CallOptions,
): Promise<RegisteredFor[]> {
  const resources = asked.map(read);
  const understood = resources.filter((resource) => resource !== undefined);
  const lineages = await loadLineages(objects, policy.mainSource, understood, call);
  let next = 0;
  return resources.map((resource) => {
    if (resource === undefined) return { outcome: 'no resource' };
    const lineage = lineages[next++];
    return lineage === undefined ? { outcome: 'unregistered' } : { outcome: 'registered', lineage };
  });
}
