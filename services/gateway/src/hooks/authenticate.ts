import { AuthenticationOutcome } from '@cadastre/proto/auth';
import type { Message, Principal } from '@cadastre/proto/registry';
import type { FastifyRequest } from 'fastify';
import type { Context } from '../context.js';
import { challenge, Refusal } from '../errors.js';
import { messages } from '../messages.js';

/** Who asks, and what there is to say about the credentials. */
export interface Identity {
  /** Absent for nobody. */
  readonly principal: Principal | undefined;
  readonly notices: readonly Message[];
}

const nobody: Identity = { principal: undefined, notices: [] };

/**
 * Turns the credentials of a request into a principal. A credential that is present but wrong is refused (401) on
 * every path, reads included (decision R4). Throws a ServiceError when the auth service is away; who brings no
 * credentials does not need it.
 */
export async function authenticate(
  context: Pick<Context, 'auth' | 'settings'>,
  request: FastifyRequest,
): Promise<Identity> {
  const { authorization } = request.headers;
  if (authorization === undefined) return nobody;
  const basic = /^basic +(.*)$/i.exec(authorization)?.[1];
  if (basic === undefined) throw new Refusal(401, messages.unsupportedScheme(), challenge);
  const {
    outcome,
    principal,
    messages: notices,
  } = await context.auth.authenticate(
    { basic: basic.trim(), bearerToken: '', session: '', clientCertificate: Buffer.alloc(0) },
    { deadlineMs: context.settings.readDeadline, requestId: request.id },
  );
  if (outcome !== AuthenticationOutcome.AUTHENTICATION_OUTCOME_AUTHENTICATED || principal === undefined) {
    throw new Refusal(401, notices.length > 0 ? notices : messages.wrongCredential(), challenge);
  }
  return { principal, notices };
}
