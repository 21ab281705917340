import { timingSafeEqual } from 'node:crypto';
import type { FinishSignInRequest, FinishSignInResponse } from '@cadastre/proto/auth';
import { ServiceError } from '@cadastre/service';
import type { Context } from '../context.js';
import type { Account } from '../domain/account.js';
import { messages } from '../domain/messages.js';
import { startOfMinute } from '../domain/minute.js';
import { hashOpaqueValue, isOpaqueValue, newOpaqueValue } from '../domain/opaque-value.js';
import { signInSecrets } from '../oidc/sign-in-secrets.js';
import { rememberAccount } from '../store/accounts.js';
import { insertSession } from '../store/sessions.js';
import { takeSignIn } from '../store/sign-ins.js';

/** Ends a sign-in and opens a session. A sign-in is good for one try. */
export async function finishSignIn(context: Context, request: FinishSignInRequest): Promise<FinishSignInResponse> {
  const { signInToken, state, code, issuer, error } = request;
  const secrets = signInSecrets(signInToken);
  // Somebody else's answer must not use up this browser's sign-in.
  if (!isOpaqueValue(signInToken) || !isSame(state, secrets.state)) throw failed();
  const signIn = await takeSignIn(context.pool, hashOpaqueValue(signInToken), context.now());
  if (!signIn || error !== '' || code === '') throw failed();
  const account = await context.identityProvider.redeem({ code, state, issuer }, secrets);
  const { session, expires } = await openSession(context, account);
  return { session, account, expires, returnPath: signIn.returnPath };
}

async function openSession({ pool, sessionLifetimeMs, now }: Context, account: Account) {
  const created = now();
  const expires = new Date(created.getTime() + sessionLifetimeMs);
  const session = newOpaqueValue();
  await rememberAccount(pool, account, created);
  await insertSession(pool, hashOpaqueValue(session), {
    accountId: account.id,
    accountName: account.name,
    created,
    expires,
    lastUsed: startOfMinute(created),
  });
  return { session, expires };
}

function isSame(given: string, expected: string): boolean {
  return timingSafeEqual(hashOpaqueValue(given), hashOpaqueValue(expected));
}

function failed(): ServiceError {
  return new ServiceError('unauthenticated', [messages.signInFailed()]);
}
