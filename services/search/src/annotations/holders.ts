import type { AbuseContactServiceService, HolderDescription } from '@cadastre/proto/geo';
import type { AbuseContact, ResourceHolder } from '@cadastre/proto/search';
import type { AbuseContact as ContactOfResource, RpslObject } from '@cadastre/rpsl';
import type { Call, RpcClient } from '@cadastre/service';
import type { ObjectId } from '../index-port.js';

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

/** Gets holders and abuse contacts from the geo service. */
export function holdersFrom(
  geo: Pick<RpcClient<typeof AbuseContactServiceService>, 'describeHolders'>,
): DescribeHolders {
  return async (page, question, { signal }) => {
    const { descriptions } = await geo.describeHolders(
      {
        keys: page.map(({ stored: { source, type, key } }) => ({ source, type, key })),
        abuseContacts: question.abuseContact,
        resourceHolders: question.resourceHolder,
      },
      { signal },
    );
    return descriptions.map((one) => answerTo(question, one));
  };
}

function answerTo(question: HolderQuestion, { abuseContact, holderKey, holderName }: HolderDescription): HolderAnswer {
  return {
    abuseContact: question.abuseContact ? shownContact(abuseContact) : undefined,
    resourceHolder: question.resourceHolder && holderKey !== '' ? { key: holderKey, name: holderName } : undefined,
  };
}

/** What responses show of an abuse contact. */
export function shownContact(contact: Omit<ContactOfResource, 'found'> | undefined): AbuseContact | undefined {
  return contact && { key: contact.role, email: contact.email, suspect: contact.suspect, orgId: contact.orgId };
}
