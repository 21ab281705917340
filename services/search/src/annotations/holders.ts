import { type Excerpt, RelatedObjects } from '@cadastre/proto/objects';
import type { ObjectKey } from '@cadastre/proto/registry';
import type { AbuseContact, ResourceHolder } from '@cadastre/proto/search';
import {
  abuseContactOf,
  type AbuseContact as ContactOfResource,
  contactAttributes,
  type Find,
  type HolderPolicy,
  holderAttributes,
  type Lineage,
  type RpslObject,
  resourceHolderOf,
} from '@cadastre/rpsl';
import type { Call, CallOptions } from '@cadastre/service';
import type { ObjectId } from '../index-port.js';
import { loadLineagesOf } from '../resources/lineages.js';
import type { Registry } from '../resources/references.js';

/** An object to annotate; its key is folded. */
export interface AnnotatedObject {
  readonly stored: ObjectId;
  readonly object: RpslObject;
}

/** The requested annotations about the holder. */
export interface HolderQuestion {
  readonly resourceHolder: boolean;
  readonly abuseContact: boolean;
}

/** The holder and the abuse contact of an object. */
export interface HolderAnswer {
  readonly resourceHolder?: ResourceHolder | undefined;
  readonly abuseContact?: AbuseContact | undefined;
}

/** Finds holders and abuse contacts of at most 1,000 objects, in their order; undefined where it cannot. */
export type DescribeHolders = (
  page: readonly AnnotatedObject[],
  question: HolderQuestion,
  call: Pick<Call, 'signal' | 'deadline' | 'requestId'>,
) => Promise<readonly (HolderAnswer | undefined)[]>;

/** The holder and the abuse contact of an object, with where they come from. */
export interface Holder {
  readonly resourceHolder: ResourceHolder | undefined;
  readonly abuseContact: ContactOfResource | undefined;
}

/** The requested of them by the objects around an object. */
export function holderIn(
  lineage: Lineage,
  find: Find,
  { resourceHolder, abuseContact }: HolderQuestion,
  policy: HolderPolicy,
): Holder {
  return {
    resourceHolder: resourceHolder ? resourceHolderOf(lineage, find, policy) : undefined,
    abuseContact: abuseContact ? abuseContactOf(lineage, find, policy) : undefined,
  };
}

/** What responses show of it. */
export function shownHolder({ resourceHolder, abuseContact: contact }: Holder): HolderAnswer {
  return {
    resourceHolder,
    abuseContact: contact && {
      key: contact.role,
      email: contact.email,
      suspect: contact.suspect,
      orgId: contact.orgId,
    },
  };
}

/** Finds holders and abuse contacts in the objects service, which returns only the attributes that decide. */
export function holdersInObjects(registry: Registry): DescribeHolders {
  return async (page, question, { signal }) => {
    const keys = page.map(({ stored: { source, type, key } }) => ({ source, type, key }));
    return (await findHolders(registry, keys, question, { signal })).map(shownHolder);
  };
}

/** Finds holders and abuse contacts of at most 1,000 objects, in their order, in the objects service. */
export async function findHolders(
  { objects, policy }: Registry,
  keys: readonly ObjectKey[],
  question: HolderQuestion,
  call: CallOptions,
): Promise<Holder[]> {
  const { lineages, find } = await loadLineagesOf(objects, keys, excerptFor(question), call);
  return lineages.map((lineage) => (lineage ? holderIn(lineage, find, question, policy) : nobody));
}

const nobody: Holder = { resourceHolder: undefined, abuseContact: undefined };

function excerptFor({ resourceHolder, abuseContact }: HolderQuestion): Excerpt {
  const attributes = [...(abuseContact ? contactAttributes : []), ...(resourceHolder ? holderAttributes : [])];
  const { RELATED_OBJECTS_ABUSE_CONTACTS, RELATED_OBJECTS_ORGANISATIONS } = RelatedObjects;
  return { attributes, related: abuseContact ? RELATED_OBJECTS_ABUSE_CONTACTS : RELATED_OBJECTS_ORGANISATIONS };
}
