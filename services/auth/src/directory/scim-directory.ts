import { ServiceError } from '@cadastre/service';
import { type Account, foldName } from '../domain/account.js';
import { messages } from '../domain/messages.js';
import type { Directory } from './directory.js';

export interface ScimOptions {
  /** Base of the SCIM 2.0 interface (RFC 7644), without "/Users". */
  url: string;
  /** Bearer token. */
  token: string | undefined;
  timeoutMs: number;
  /** Whether `create` makes accounts. */
  creates: boolean;
}

/** The part of a SCIM user (RFC 7643, section 4.1) that matters here. */
interface ScimUser {
  id?: unknown;
  userName?: unknown;
  active?: unknown;
}

/** The accounts of an identity provider that speaks SCIM 2.0. */
export function scimDirectory(o: ScimOptions): Directory {
  const users = `${o.url.replace(/\/+$/, '')}/Users`;
  const find = async (attribute: 'userName' | 'id', value: string): Promise<Account | undefined> => {
    // String values of a filter are JSON strings (RFC 7644, section 3.4.2.2).
    const filter = encodeURIComponent(`${attribute} eq ${JSON.stringify(value)}`);
    const { body } = await ask(o, `${users}?filter=${filter}`, { method: 'GET' });
    return accountsOf(body).find((account) =>
      attribute === 'id' ? account.id === value : foldName(account.name) === foldName(value),
    );
  };
  return {
    byName: (name) => find('userName', name),
    byId: (id) => find('id', id),
    async create(name) {
      if (!o.creates) return undefined;
      const user = { schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'], userName: name, active: true };
      const { status, body } = await ask(o, users, { method: 'POST', body: JSON.stringify(user) });
      return status === 409 ? find('userName', name) : accountOf(body as ScimUser);
    },
  };
}

async function ask(o: ScimOptions, url: string, init: RequestInit): Promise<{ status: number; body: unknown }> {
  const headers = {
    accept: 'application/scim+json',
    'content-type': 'application/scim+json',
    ...(o.token ? { authorization: `Bearer ${o.token}` } : {}),
  };
  try {
    // Redirects would carry the token elsewhere.
    const signal = AbortSignal.timeout(o.timeoutMs);
    const response = await fetch(url, { ...init, headers, signal, redirect: 'error' });
    const body: unknown = await response.json();
    if (!response.ok && response.status !== 409) throw new Error(`the directory answered ${response.status}`);
    return { status: response.status, body };
  } catch (cause) {
    throw new ServiceError('unavailable', [messages.directoryAway()], { cause });
  }
}

function accountsOf(body: unknown): Account[] {
  const { Resources: users } = body as { Resources?: unknown };
  return (Array.isArray(users) ? (users as ScimUser[]) : []).flatMap((user) => accountOf(user) ?? []);
}

function accountOf(user: ScimUser): Account | undefined {
  if (typeof user.id !== 'string' || typeof user.userName !== 'string' || user.active === false) return undefined;
  return { id: user.id, name: user.userName };
}
