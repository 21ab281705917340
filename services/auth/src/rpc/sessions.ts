import { timingSafeEqual } from 'node:crypto';
import type { SessionServiceService } from '@cadastre/proto/auth';
import { type Handlers, inTransaction, isReturnPath, ServiceError } from '@cadastre/service';
import type { Context } from '../context.js';
import type { Account } from '../domain/accounts.js';
import { messages } from '../domain/messages.js';
import {
  hashCookie,
  idleExpiry,
  isSessionValue,
  newSessionValue,
  newSignIn,
  readSignIn,
  type SessionRecord,
  type SignIn,
  signInSecrets,
  startOfMinute,
} from '../domain/sessions.js';
import { rememberAccount } from '../store/accounts.js';
import { deleteSession, findSession, finishOnce, insertSession, noteSessionUse } from '../store/sessions.js';

/** The methods of SessionService. */
export function sessionHandlers(context: Context): Handlers<typeof SessionServiceService> {
  const { pool, identityProvider, sessionIdleMs, now } = context;
  return {
    // Anyone may begin a sign-in, so nothing is stored: the browser stores the token.
    startSignIn: async ({ returnPath }) => {
      if (!isReturnPath(returnPath)) throw new ServiceError('invalid', [messages.badReturnPath()]);
      const signIn = newSignIn(returnPath, now());
      const authorizationUrl = await identityProvider.authorizationUrl(signInSecrets(signIn));
      if (authorizationUrl === undefined) throw new ServiceError('unimplemented', [messages.noSignIn()]);
      return { authorizationUrl, signInToken: signIn.token, expires: signIn.expires };
    },
    // Nothing is stored before the identity provider has identified the user.
    finishSignIn: async ({ signInToken, state, code, issuer, error }) => {
      const signIn = readSignIn(signInToken, now());
      if (!signIn) throw signInFailed();
      const secrets = signInSecrets(signIn);
      if (!isSame(state, secrets.state) || error !== '' || code === '') throw signInFailed();
      const account = await identityProvider.redeem({ code, state, issuer }, secrets);
      const { session, expires } = await openSession(context, account, signIn);
      return { session, account, expires, returnPath: signIn.returnPath };
    },
    getSession: async (request) => {
      const session = await useSession(context, request.session);
      if (!session) return {};
      const { accountId: id, accountName: name, created, expires } = session;
      return { account: { id, name }, created, expires, idleExpires: idleExpiry(session, sessionIdleMs) };
    },
    endSession: async ({ session }) => {
      await deleteSession(pool, hashCookie(session));
      return { signOutUrl: await identityProvider.signOutUrl() };
    },
  };
}

/** Finds the session with a cookie's value and stores its use, to the minute; `undefined` when it has ended. */
export async function useSession(context: Context, value: string): Promise<SessionRecord | undefined> {
  if (!isSessionValue(value)) return undefined;
  const hash = hashCookie(value);
  const now = context.now();
  const session = await findSession(context.pool, hash);
  if (!session || idleExpiry(session, context.sessionIdleMs) <= now) return undefined;
  const minute = startOfMinute(now);
  if (session.lastUsed >= minute) return session;
  await noteSessionUse(context.pool, hash, minute);
  return { ...session, lastUsed: minute };
}

async function openSession({ pool, sessionLifetimeMs, now }: Context, account: Account, signIn: SignIn) {
  const created = now();
  const expires = new Date(created.getTime() + sessionLifetimeMs);
  const session = newSessionValue();
  await rememberAccount(pool, account, created);
  await inTransaction(pool, async (client) => {
    if (!(await finishOnce(client, hashCookie(signIn.token), signIn.expires, created))) throw signInFailed();
    await insertSession(client, hashCookie(session), {
      accountId: account.id,
      accountName: account.name,
      created,
      expires,
      lastUsed: startOfMinute(created),
    });
  });
  return { session, expires };
}

/** Compares in constant time. */
function isSame(given: string, expected: string): boolean {
  return timingSafeEqual(hashCookie(given), hashCookie(expected));
}

function signInFailed(): ServiceError {
  return new ServiceError('unauthenticated', [messages.signInFailed()]);
}
