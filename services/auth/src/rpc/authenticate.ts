import { type AuthenticateRequest, type AuthenticateResponse, AuthenticationOutcome } from '@cadastre/proto/auth';
import { CredentialKind } from '@cadastre/proto/registry';
import type { Context } from '../context.js';
import { type ApiKeyRecord, accepts, parseCredential } from '../domain/api-key.js';
import { endsSoon } from '../domain/expiry.js';
import { messages } from '../domain/messages.js';
import { findApiKey, noteUse } from '../store/api-keys.js';

const minuteMs = 60_000;

/** Turns credentials into a principal. API keys only, so far: any other credential is rejected. */
export async function authenticate(context: Context, request: AuthenticateRequest): Promise<AuthenticateResponse> {
  if (hasOtherCredentials(request)) return rejected;
  if (request.basic === '') return anonymous;
  const credential = parseCredential(request.basic);
  if (!credential) return rejected;
  const record = await findApiKey(context.pool, credential.id);
  const now = context.now();
  if (!accepts(record, credential, context.audience, now)) return rejected;
  await noteUseThisMinute(context, record, now);
  return authenticated(record, now);
}

function hasOtherCredentials(request: AuthenticateRequest): boolean {
  return request.bearerToken !== '' || request.session !== '' || request.clientCertificate.length > 0;
}

const anonymous: AuthenticateResponse = {
  outcome: AuthenticationOutcome.AUTHENTICATION_OUTCOME_ANONYMOUS,
  messages: [],
};

const rejected: AuthenticateResponse = {
  outcome: AuthenticationOutcome.AUTHENTICATION_OUTCOME_REJECTED,
  messages: [messages.rejected()],
};

function authenticated(record: ApiKeyRecord, now: Date): AuthenticateResponse {
  return {
    outcome: AuthenticationOutcome.AUTHENTICATION_OUTCOME_AUTHENTICATED,
    principal: {
      credentials: [CredentialKind.CREDENTIAL_KIND_API_KEY],
      accountId: record.accountId,
      accountName: record.accountName,
      apiKeyId: record.id,
      maintainers: record.maintainer === '' ? [] : [record.maintainer],
      keyFingerprints: [],
    },
    messages: endsSoon(record.expires, now) ? [messages.endsSoon(record.id, record.expires)] : [],
  };
}

/** Written at most once a minute, and never in the way of the caller. */
async function noteUseThisMinute({ pool, logger }: Context, record: ApiKeyRecord, now: Date): Promise<void> {
  const minute = new Date(Math.floor(now.getTime() / minuteMs) * minuteMs);
  if (record.lastUsed && record.lastUsed >= minute) return;
  try {
    await noteUse(pool, record.id, minute);
  } catch (error) {
    logger.warn({ err: error, apiKeyId: record.id }, 'the use of an API key could not be noted');
  }
}
