import { ServiceError } from '@cadastre/service';
import pLimit, { type LimitFunction } from 'p-limit';
import { type Account, foldName } from '../domain/accounts.js';
import { messages } from '../domain/messages.js';
import type { Directory } from './directory.js';

interface ScimOptions {
  /** Base URL of the SCIM 2.0 interface (RFC 7644), without "/Users". */
  url: string;
  /** Bearer token. */
  token: string | undefined;
  timeoutMs: number;
  /** Whether `create` creates accounts. */
  creates: boolean;
}

/** What a creation may be answered: the account is not valid, or exists. */
const refusals = [400, 409];
/** Bounds of this process: concurrent requests to the identity provider, and the queue behind them. */
const maxConcurrent = 16;
const maxWaiting = 500;

/** The attributes of a SCIM user (RFC 7643, section 4.1) that this service reads. */
interface ScimUser {
  id?: unknown;
  userName?: unknown;
  active?: unknown;
}

/** The accounts of an identity provider with a SCIM 2.0 interface. */
export function scimDirectory(o: ScimOptions): Directory {
  const limit = pLimit(maxConcurrent);
  const send = (url: string, init: RequestInit) => queued(limit, () => request(o, url, init));
  const users = `${o.url}/Users`;
  const find = async (attribute: 'userName' | 'id', value: string): Promise<Account | undefined> => {
    // String values of a filter are JSON strings (RFC 7644, section 3.4.2.2).
    const filter = encodeURIComponent(`${attribute} eq ${JSON.stringify(value)}`);
    const { body } = await send(`${users}?filter=${filter}`, { method: 'GET' });
    return usersOf(body)
      .flatMap((user) => accountOf(user) ?? [])
      .find((account) => (attribute === 'id' ? account.id === value : foldName(account.name) === foldName(value)));
  };
  return {
    byName: (name) => find('userName', name),
    byId: (id) => find('id', id),
    async create(name) {
      if (!o.creates) return undefined;
      const user = { schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'], userName: name, active: true };
      const { status, body } = await send(users, { method: 'POST', body: JSON.stringify(user) });
      // RFC 7644, section 3.12: a value of the account is not valid.
      if (status === 400) throw new ServiceError('invalid', [messages.accountRefused(name)]);
      return status === 409 ? find('userName', name) : accountOf(body as ScimUser);
    },
  };
}

async function queued<T>(limit: LimitFunction, task: () => Promise<T>): Promise<T> {
  if (limit.pendingCount >= maxWaiting) {
    throw new ServiceError('unavailable', [messages.identityProviderAway()], { cause: new Error('the queue is full') });
  }
  return limit(task);
}

async function request(o: ScimOptions, url: string, init: RequestInit): Promise<{ status: number; body: unknown }> {
  const headers = {
    accept: 'application/scim+json',
    'content-type': 'application/scim+json',
    ...(o.token ? { authorization: `Bearer ${o.token}` } : {}),
  };
  try {
    // A redirect would send the token to another host.
    const signal = AbortSignal.timeout(o.timeoutMs);
    const response = await fetch(url, { ...init, headers, signal, redirect: 'error' });
    const body: unknown = await response.json();
    const isRefusal = init.method === 'POST' && refusals.includes(response.status);
    if (!response.ok && !isRefusal) throw new Error(`the directory answered ${response.status}`);
    return { status: response.status, body };
  } catch (cause) {
    throw new ServiceError('unavailable', [messages.identityProviderAway()], { cause });
  }
}

/** Anything but a list of users (RFC 7644, section 3.4.2) is a failure: it does not prove that an account is absent. */
function usersOf(body: unknown): ScimUser[] {
  const { Resources: users, totalResults } = (body ?? {}) as { Resources?: unknown; totalResults?: unknown };
  if (Array.isArray(users)) return (users as unknown[]).filter((user) => typeof user === 'object' && user !== null);
  if (totalResults === 0) return [];
  throw new ServiceError('unavailable', [messages.identityProviderAway()], { cause: new Error('no list of users') });
}

function accountOf(user: ScimUser): Account | undefined {
  if (typeof user.id !== 'string' || typeof user.userName !== 'string' || user.active === false) return undefined;
  return { id: user.id, name: user.userName };
}
