import { firstValueOf } from '@cadastre/rpsl';
import { type Find, follow, type Lineage, nearest, organisationReference, type Registered } from './registered.js';

/**
 * Key of the organisation to turn to when the abuse contact does not help: the sponsor, else the organisation of the
 * nearest object that has one. Beside a suspect mailbox an LIR, where there is one.
 */
export function organisationToContact(lineage: Lineage, find: Find, suspect: boolean): string | undefined {
  return (
    (suspect ? nearest(lineage, (one) => sponsorOf(one) ?? localRegistryOf(one, find)) : undefined) ??
    nearest(lineage, (one) => sponsorOf(one) ?? organisationReference(one)?.key)
  );
}

function sponsorOf({ object }: Registered): string | undefined {
  return firstValueOf(object, 'sponsoring-org') || undefined;
}

function localRegistryOf(one: Registered, find: Find): string | undefined {
  const organisation = follow(organisationReference(one), find);
  return organisation && firstValueOf(organisation.object, 'org-type')?.toUpperCase() === 'LIR'
    ? organisation.id.key
    : undefined;
}
