import type { AbuseContactServiceService, HolderDescription } from '@cadastre/proto/geo';
import type { RpcClient } from '@cadastre/service';
import type { ObjectId } from '../index-port.js';
import { perTurn } from '../per-turn.js';
import type { DescribeHolders, HolderAnswer, HolderQuestion } from './ports.js';

/** Bound of the contract on the objects of a call. */
const maxObjects = 1_000;

interface Requested {
  readonly ids: readonly ObjectId[];
  readonly question: HolderQuestion;
}

/** Gets holders and abuse contacts from the geo service, for the pages of one event-loop turn together. */
export function holdersFrom(
  geo: Pick<RpcClient<typeof AbuseContactServiceService>, 'describeHolders'>,
): DescribeHolders {
  const describe = perTurn<Requested, readonly HolderAnswer[]>({
    size: 100,
    bytes: maxObjects,
    bytesOf: ({ ids }) => ids.length,
    callsInFlight: 4,
    async answer(requested, signal) {
      const request = {
        keys: requested.flatMap(({ ids }) => ids.map(({ source, type, key }) => ({ source, type, key }))),
        abuseContacts: requested.some(({ question }) => question.abuseContact),
        resourceHolders: requested.some(({ question }) => question.resourceHolder),
      };
      const { descriptions } = await geo.describeHolders(request, { signal });
      const rest = [...descriptions];
      return requested.map(({ ids, question }) => rest.splice(0, ids.length).map((one) => answerTo(question, one)));
    },
  });
  return (ids, question, { signal }) => describe({ ids, question }, signal);
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
