import type { AbuseContactServiceService } from '@cadastre/proto/geo';
import type { RpcClient } from '@cadastre/service';
import type { DescribeHolders, HolderAnswer } from './ports.js';

/** Gets holders and abuse contacts from the geo service. */
export function holdersFrom(
  geo: Pick<RpcClient<typeof AbuseContactServiceService>, 'describeHolders'>,
): DescribeHolders {
  return async (ids, question, { signal, deadline, requestId }) => {
    const { descriptions } = await geo.describeHolders(
      {
        keys: ids.map(({ source, type, key }) => ({ source, type, key })),
        abuseContacts: question.abuseContact,
        resourceHolders: question.resourceHolder,
      },
      { signal, deadline, requestId },
    );
    return descriptions.map(({ abuseContact, holderKey, holderName }): HolderAnswer => {
      const contact = abuseContact && {
        key: abuseContact.role,
        email: abuseContact.email,
        suspect: abuseContact.suspect,
        orgId: abuseContact.orgId,
      };
      return {
        abuseContact: contact,
        resourceHolder: holderKey === '' ? undefined : { key: holderKey, name: holderName },
      };
    });
  };
}
