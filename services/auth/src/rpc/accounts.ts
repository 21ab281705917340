import type { AccountServiceService } from '@cadastre/proto/auth';
import { type Handlers, ServiceError } from '@cadastre/service';
import pLimit from 'p-limit';
import type { Context } from '../context.js';
import { foldName, isAccountId, isAccountName } from '../domain/accounts.js';
import { messages } from '../domain/messages.js';

const maxAccounts = 1000;
/** Maximum concurrent lookups of one call: at most half of what the directory accepts from all calls. */
const maxConcurrent = 8;

/** The method of AccountService. */
export function accountHandlers({ directory }: Context): Handlers<typeof AccountServiceService> {
  return {
    resolveAccounts: async (request) => {
      if (request.names.length + request.ids.length > maxAccounts) {
        throw new ServiceError('invalid', [messages.tooManyAccounts(maxAccounts)]);
      }
      const names = new Map(request.names.filter(isAccountName).map((name) => [foldName(name), name]));
      const ids = new Set(request.ids.filter(isAccountId));
      const limit = pLimit({ concurrency: maxConcurrent, rejectOnClear: true });
      const lookups = [
        ...[...names.values()].map((name) => limit(() => directory.byName(name))),
        ...[...ids].map((id) => limit(() => directory.byId(id))),
      ];
      const found = await Promise.all(lookups).finally(() => limit.clearQueue());
      const accounts = found.filter((account) => account !== undefined);
      return { accounts: [...new Map(accounts.map((account) => [account.id, account])).values()] };
    },
  };
}
