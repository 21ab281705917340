import { AccountServiceService } from '@cadastre/proto/auth';
import { type ConnectOptions, connect } from '@cadastre/service';
import type { Accounts } from './context.js';

const deadlineMs = 5000;
/** Maximum number of subjects in one call; the reply shows further ones unresolved. */
const maxSubjects = 1000;

/** A client of the auth service; it connects on the first call. */
export function createAccountsClient(
  o: Pick<ConnectOptions, 'address' | 'tls' | 'metrics'>,
): Accounts & { close(): void } {
  const client = connect(AccountServiceService, { ...o, deadlineMs });
  return {
    async resolve(names, call) {
      if (names.length === 0) return new Map();
      const { accounts } = await client.resolveAccounts({ names: [...names], ids: [] }, call);
      return new Map(accounts.map((account) => [account.name.toLowerCase(), account]));
    },
    async resolveSubjects(subjects, call) {
      if (subjects.length === 0) return new Map();
      const { accounts } = await client.resolveAccounts({ names: [], ids: subjects.slice(0, maxSubjects) }, call);
      return new Map(accounts.map((account) => [account.id, account]));
    },
    close: () => client.close(),
  };
}
