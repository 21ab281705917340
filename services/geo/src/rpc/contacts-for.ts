import type { AbuseContact } from '@cadastre/proto/geo';
import type { CallOptions } from '@cadastre/service';
import type { Context } from '../context.js';
import { abuseContactOf } from '../domain/abuse-contact.js';
import { isRoot } from '../domain/registered.js';
import { readResource } from '../domain/resource.js';
import { loadContacts } from '../objects/load-referenced.js';
import { registeredFor } from './registered-for.js';

/** The abuse contact of what is registered for a text, if there is one. */
export interface ContactFor {
  readonly isResource: boolean;
  readonly contact: AbuseContact | undefined;
}

/** For each text, in their order. Space of which only a root is known is not registered. */
export async function contactsFor(
  context: Context,
  asked: readonly string[],
  call: CallOptions,
): Promise<ContactFor[]> {
  const registered = await registeredFor(context, asked, readResource, call);
  const lineages = registered.map((one) =>
    one.outcome === 'registered' && !isRoot(one.lineage[0]) ? one.lineage : undefined,
  );
  const find = await loadContacts(
    context.objects,
    lineages.filter((lineage) => lineage !== undefined),
    call,
  );
  return registered.map(({ outcome }, position) => {
    const lineage = lineages[position];
    return { isResource: outcome !== 'no resource', contact: lineage && abuseContactOf(lineage, find, context.policy) };
  });
}
