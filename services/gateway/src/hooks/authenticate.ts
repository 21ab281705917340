import { AuthenticationOutcome } from '@cadastre/proto/auth';
import type { Message, Principal } from '@cadastre/proto/registry';
import type { FastifyRequest } from 'fastify';
import type { Context } from '../context.js';
import { challenge, Refusal, sessionChallenge } from '../errors.js';
import { messages } from '../messages.js';
import { clearCookie, cookieNames } from '../session-cookies.js';
import { credentialsOf } from './credentials.js';

/** Who asks, and what there is to say about the credentials. */
export interface Identity {
  /** Absent for nobody. */
  readonly principal: Principal | undefined;
  readonly notices: readonly Message[];
}

/** A browser would go on sending the cookie of a session that has ended, and be refused everything. */
const forget = { 'set-cookie': clearCookie(cookieNames.session) };
/** Who brings no credentials. */
export const nobody: Identity = { principal: undefined, notices: [] };

/**
 * Turns the credentials of a request into a principal. A credential that is present but wrong is refused (401) on
 * every path, reads included (decision R4). Throws a ServiceError when the auth service is away; who brings no
 * credentials does not need it.
 */
export async function authenticate(
  context: Pick<Context, 'auth' | 'clientCertificates' | 'settings'>,
  request: FastifyRequest,
): Promise<Identity> {
  const credentials = credentialsOf(context, request);
  if (credentials === undefined) return nobody;
  const {
    outcome,
    principal,
    messages: notices,
  } = await context.auth.authenticate(credentials, {
    deadlineMs: context.settings.readDeadline,
    requestId: request.id,
  });
  if (outcome !== AuthenticationOutcome.AUTHENTICATION_OUTCOME_AUTHENTICATED || principal === undefined) {
    const { session, ...others } = credentials;
    const onlySession = session !== '' && Object.values(others).every((value) => value.length === 0);
    throw new Refusal(
      401,
      notices.length > 0 ? notices : messages.wrongCredential(),
      onlySession ? { ...sessionChallenge, ...forget } : challenge,
    );
  }
  return { principal, notices };
}
