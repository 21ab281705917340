import type { AbuseContactServiceService, HolderDescription } from '@cadastre/proto/geo';
import type { RpcClient } from '@cadastre/service';
import type { DescribeHolders, HolderAnswer, HolderQuestion } from './ports.js';

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
  const contact = question.abuseContact ? abuseContact : undefined;
  return {
    abuseContact: contact && {
      key: contact.role,
      email: contact.email,
      suspect: contact.suspect,
      orgId: contact.orgId,
    },
    resourceHolder: question.resourceHolder && holderKey !== '' ? { key: holderKey, name: holderName } : undefined,
  };
}
