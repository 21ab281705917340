import { type AuthenticateRequest, AuthenticationOutcome } from '@cadastre/proto/auth';
import type { Message } from '@cadastre/proto/registry';
import type { FastifyRequest, onRequestHookHandler } from 'fastify';
import { shortCall } from '../backends/call-options.js';
import { withKeyCertNames } from '../backends/key-cert-names.js';
import type { Identity } from '../backends/principal-cache.js';
import type { Context } from '../context.js';
import { challenge, HttpError, sessionChallenge } from '../errors.js';
import { countFailedCredentials } from '../limits/exceeded.js';
import { clearCookie, cookieNames } from '../reply/session-cookies.js';
import { messages } from '../ripe-messages.js';
import { credentialsOf } from './credentials.js';
import { countForAccount } from './limit-clients.js';

const none: readonly Message[] = [];

type Authenticating = Pick<
  Context,
  'auth' | 'identities' | 'reader' | 'clientCertificates' | 'settings' | 'limiter' | 'metrics'
>;

/**
 * Converts the credentials of a request into a principal, and counts the request for its account. Refuses (401) a wrong
 * credential on every path, also of reads (decision R4). Requests without credentials do not need the auth service.
 */
export function authenticate(context: Authenticating): onRequestHookHandler {
  return (request, _reply, done) => {
    request.notices = none;
    if (request.hasCredentials) identify(context, request).then(() => done(), done);
    else done();
  };
}

async function identify(context: Authenticating, request: FastifyRequest): Promise<void> {
  if (request.facts.credentials !== 'none') {
    try {
      const { principal, notices } = await identityOf(context, request);
      request.principal = principal;
      request.notices = notices;
    } catch (thrown) {
      countFailedCredentials(context, request.limitedClient, thrown);
      throw thrown;
    }
  }
  countForAccount(context, request);
}

/** Otherwise a browser would send the cookie of an ended session again and again, and get 401 for every request. */
const forget = { 'set-cookie': clearCookie(cookieNames.session) };

/** Throws an HttpError (401), or a ServiceError when the auth service is unavailable. */
async function identityOf(context: Authenticating, request: FastifyRequest): Promise<Identity> {
  const credentials = credentialsOf(context, request);
  const known = context.identities.find(credentials);
  if (known.stored !== undefined) return known.stored;
  const { identity, keepForMs } = await askAuth(context, request, credentials);
  known.keep(identity, keepForMs);
  return identity;
}

async function askAuth(
  context: Authenticating,
  request: FastifyRequest,
  credentials: AuthenticateRequest,
): Promise<{ identity: Identity; keepForMs: number }> {
  const options = shortCall(context, request);
  const answer = await context.auth.authenticate(credentials, options);
  const { outcome, principal, messages: notices, keepForMs = 0 } = answer;
  if (outcome !== AuthenticationOutcome.AUTHENTICATION_OUTCOME_AUTHENTICATED || principal === undefined) {
    const { session, ...others } = credentials;
    const onlySession = session !== '' && Object.values(others).every((value) => value.length === 0);
    throw new HttpError(
      401,
      notices.length > 0 ? await withKeyCertNames(context, notices, options) : messages.wrongCredential(),
      onlySession ? { ...sessionChallenge, ...forget } : challenge,
    );
  }
  return { identity: { principal, notices }, keepForMs };
}
