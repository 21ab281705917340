import { generateKeyPairSync, type JsonWebKey, randomBytes, randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** An account of the local identity provider. */
export interface IdentityAccount {
  /** Stable subject. */
  id: string;
  /** E-mail address. */
  userName: string;
  /** Inactive accounts cannot sign in; default true. */
  active?: boolean;
}

/** The accounts and keys of the local identity provider, stored in one file. */
export interface IdentityAccounts {
  all(): IdentityAccount[];
  /** By subject, or by e-mail address in any letter case. */
  find(idOrName: string): IdentityAccount | undefined;
  /** Creates an account and writes the file; `undefined` when the address is taken. */
  create(userName: string): IdentityAccount | undefined;
  /** Changes the account with this subject and writes the file; `undefined` when another has the address. */
  replace(account: IdentityAccount): IdentityAccount | undefined;
  /** Private keys that sign tokens. */
  signingKeys: JsonWebKey[];
  /** Keys that sign cookies. */
  cookieKeys: string[];
}

interface Content {
  accounts: IdentityAccount[];
  signingKeys: JsonWebKey[];
  cookieKeys: string[];
}

/** Opens the file; the first start creates it, with alice, bob and carol. */
export function openIdentityAccounts(file: string): IdentityAccounts {
  const content = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Content) : firstContent();
  if (!existsSync(file)) write(file, content);
  const { accounts, signingKeys, cookieKeys } = content;
  const find = (idOrName: string) =>
    accounts.find(({ id, userName }) => id === idOrName || userName.toLowerCase() === idOrName.toLowerCase());
  return {
    signingKeys,
    cookieKeys,
    all: () => [...accounts],
    find,
    create(userName) {
      if (find(userName)) return undefined;
      const account = newAccount(userName);
      write(file, { ...content, accounts: [...accounts, account] });
      accounts.push(account);
      return account;
    },
    replace(account) {
      const found = find(account.userName);
      if (found && found.id !== account.id) return undefined;
      const place = accounts.findIndex(({ id }) => id === account.id);
      write(file, { ...content, accounts: accounts.with(place, account) });
      accounts[place] = account;
      return account;
    },
  };
}

function newAccount(userName: string): IdentityAccount {
  return { id: randomUUID(), userName };
}

function firstContent(): Content {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const signingKey = { ...privateKey.export({ format: 'jwk' }), kid: randomUUID(), use: 'sig', alg: 'RS256' };
  return {
    accounts: ['alice@example.net', 'bob@example.net', 'carol@example.net'].map(newAccount),
    signingKeys: [signingKey],
    cookieKeys: [randomBytes(32).toString('base64url')],
  };
}

/** Replaces the file atomically, so that a crash leaves the old or the new one. */
function write(file: string, content: Content): void {
  mkdirSync(path.dirname(file), { recursive: true });
  const fresh = `${file}.new`;
  writeFileSync(fresh, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600, flush: true });
  renameSync(fresh, file);
}
