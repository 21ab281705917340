import type { Account } from '../domain/account.js';

/** Where accounts are known. Throws a ServiceError "unavailable" when that place does not answer. */
export interface Directory {
  /** Any letter case. */
  byName(name: string): Promise<Account | undefined>;
  byId(id: string): Promise<Account | undefined>;
  /** Makes an account; `undefined` where accounts cannot be made. An account that exists is answered as it is. */
  create(name: string): Promise<Account | undefined>;
}
