import type { LimitExceeded, LimitedClient, Limiter } from '@cadastre/limits';
import type { Message } from '@cadastre/proto/registry';
import { type Outcome, ok, type QueryLine, refused } from '@cadastre/query';
import type { AddressList } from '@cadastre/service';
import { messages } from './messages.js';

/**
 * The client whose limits apply to a line: the address that a proxy names, or else that of the connection. Only listed
 * proxies may name an address.
 */
export function clientOf(
  limiter: Limiter,
  proxies: AddressList,
  address: string,
  named: QueryLine['client'],
): Outcome<LimitedClient> {
  if (named?.address === undefined) return ok(limiter.clients.atAddress(address));
  return proxies.includes(address) ? ok(limiter.clients.atAddress(named.address)) : refused(messages.noProxy());
}

/** Why a client gets no more. */
export function denied({ reason, client: { name, limits } }: LimitExceeded): Message {
  switch (reason) {
    case 'blocked-by-operator':
      return messages.denied(name, 'Your host has been blocked. Please contact the operator of this registry.');
    case 'blocked-for-a-time':
      return messages.denied(name, 'Access is temporarily denied, because the client kept exceeding its limits.');
    case 'personal-objects':
      return messages.denied(
        name,
        'The client has passed the daily limit of personal objects.\nAccess is temporarily denied until midnight UTC.',
      );
    case 'concurrent-searches':
      return messages.denied(name, `At most ${limits[reason]} concurrent searches are accepted.`);
    default:
      return messages.denied(name, `The client has exceeded its limit of ${reason}.`);
  }
}
