import { type AuthenticateRequest, type AuthenticateResponse, AuthenticationOutcome } from '@cadastre/proto/auth';
import { type Message, Principal } from '@cadastre/proto/registry';
import type { Context } from '../context.js';
import { checkApiKey } from '../credentials/api-key.js';
import { checkBearerToken } from '../credentials/bearer-token.js';
import { checkClientCertificate } from '../credentials/client-certificate.js';
import type { Finding } from '../credentials/finding.js';
import { checkSession } from '../credentials/session.js';
import { messages } from '../domain/messages.js';

/** Turns the credentials of a request into one principal; one that is wrong spoils all (decision R4). */
export async function authenticate(context: Context, request: AuthenticateRequest): Promise<AuthenticateResponse> {
  const findings = await Promise.all(checks(context, request));
  if (findings.length === 0) return anonymous;
  const refusals = findings.flatMap((finding) => ('rejected' in finding ? [finding.rejected] : []));
  if (refusals.length > 0) return rejected(refusals);
  const accepted = findings.flatMap((finding) => ('accepted' in finding ? [finding] : []));
  const principal = mergePrincipals(accepted.map((finding) => finding.accepted));
  if (!principal) return rejected([messages.manyAccounts()]);
  return {
    outcome: AuthenticationOutcome.AUTHENTICATION_OUTCOME_AUTHENTICATED,
    principal,
    messages: accepted.flatMap(({ warnings }) => warnings ?? []),
  };
}

/** One check for each credential that is present. */
function checks(context: Context, request: AuthenticateRequest): (Finding | Promise<Finding>)[] {
  const { basic, bearerToken, session, clientCertificate } = request;
  return [
    ...(basic !== '' ? [checkApiKey(context, basic)] : []),
    ...(session !== '' ? [checkSession(context, session)] : []),
    ...(bearerToken !== '' ? [checkBearerToken(context, bearerToken)] : []),
    ...(clientCertificate.length > 0 ? [checkClientCertificate(clientCertificate, context.now())] : []),
  ];
}

/** The limits of one credential hold for all; `undefined` when they belong to different accounts. */
function mergePrincipals(parts: Partial<Principal>[]): Principal | undefined {
  const accounts = new Set(parts.flatMap(({ accountId }) => accountId ?? []));
  if (accounts.size > 1) return undefined;
  const merged = Object.assign({}, ...parts) as Partial<Principal>;
  const credentials = parts.flatMap((part) => part.credentials ?? []);
  return Principal.fromPartial({ ...merged, credentials });
}

function rejected(reasons: Message[]): AuthenticateResponse {
  const bySentence = new Map(reasons.map((message) => [message.text, message]));
  return { outcome: AuthenticationOutcome.AUTHENTICATION_OUTCOME_REJECTED, messages: [...bySentence.values()] };
}

const anonymous: AuthenticateResponse = {
  outcome: AuthenticationOutcome.AUTHENTICATION_OUTCOME_ANONYMOUS,
  messages: [],
};
