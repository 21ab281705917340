import { CredentialKind, type Principal } from '@cadastre/proto/registry';
import type { FastifyRequest } from 'fastify';
import { challenge, HttpError } from '../errors.js';
import { messages } from '../ripe-messages.js';

/** The account of a caller: its subject, and its name. */
interface CallerAccount {
  readonly accountId: string;
  readonly accountName: string;
}

const { CREDENTIAL_KIND_SESSION: session, CREDENTIAL_KIND_API_KEY: apiKey } = CredentialKind;

/**
 * Only a session creates keys, so that a stolen key or token gives no access beyond its expiry. Throws an HttpError
 * (403).
 */
export function requireSession({ principal }: FastifyRequest): void {
  if (principal && !principal.credentials.includes(session)) throw new HttpError(403, messages.sessionRequired());
}

/** The principal of an account, also with a key that is limited to some mntners. Throws an HttpError (401). */
export function accountPrincipal({ principal }: Pick<FastifyRequest, 'principal'>): Principal {
  if (!principal || principal.accountId === '') throw new HttpError(401, messages.accountRequired(), challenge);
  return principal;
}

/** The account of a session or of an API key that is not limited. Throws an HttpError (401, 403). */
export function accountOf({ principal }: FastifyRequest): CallerAccount {
  const isSignedIn = principal?.credentials.some((kind) => kind === session || kind === apiKey) ?? false;
  if (!principal || !isSignedIn || principal.accountId === '') {
    throw new HttpError(401, messages.accountRequired(), challenge);
  }
  if (principal.maintainers.length > 0) throw new HttpError(403, messages.limitedKey());
  // An older auth service uses only the name, and treats a revocation without one as the operator's.
  return { accountId: principal.accountId, accountName: principal.accountName };
}
