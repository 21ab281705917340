import { exceededDerBound } from '@cadastre/keys';
import {
  type AuthenticateRequest,
  AuthenticationOutcome,
  type AuthenticationServiceService,
} from '@cadastre/proto/auth';
import { CredentialKind, type Message, Principal } from '@cadastre/proto/registry';
import type { Handlers } from '@cadastre/service';
import type { Context } from '../context.js';
import { type ApiKeyRecord, accepts, expiresSoon, parseCredential } from '../domain/api-keys.js';
import { messages } from '../domain/messages.js';
import { idleExpiry, startOfMinute } from '../domain/sessions.js';
import { certificateProblem, parseCertificate, sha256Fingerprint } from '../domain/signatures.js';
import { accountById } from '../store/accounts.js';
import { findApiKey, noteKeyUse } from '../store/api-keys.js';
import { listBlocks } from '../store/blocks.js';
import { useSession } from './sessions.js';

/** The methods of AuthenticationService. One wrong credential rejects the request (decision R4). */
export function authenticationHandlers(context: Context): Handlers<typeof AuthenticationServiceService> {
  return {
    authenticate: async (request) => {
      const checks = await Promise.all(checkEach(context, request));
      if (checks.length === 0) {
        return { outcome: AuthenticationOutcome.AUTHENTICATION_OUTCOME_ANONYMOUS, messages: [] };
      }
      const problems = checks.flatMap((check) => ('rejected' in check ? [check.rejected] : []));
      if (problems.length > 0) return rejectedFor(problems);
      const accepted = checks.flatMap((check) => ('accepted' in check ? [check] : []));
      const principal = mergePrincipals(accepted.map((check) => check.accepted));
      if (!principal) return rejectedFor([messages.manyAccounts()]);
      const warnings = accepted.flatMap((check) => check.warnings ?? []);
      const keepForMs = keepFor(accepted, context.now());
      const outcome = AuthenticationOutcome.AUTHENTICATION_OUTCOME_AUTHENTICATED;
      return { outcome, principal, messages: warnings, keepForMs };
    },
    watchCredentials: async function* (_request, { signal }) {
      for await (const { accountIds, haveBlocksChanged } of context.changes.follow(signal)) {
        const blocks = haveBlocksChanged ? { blocks: await listBlocks(context.pool, context.now()) } : undefined;
        yield { accountIds: [...accountIds], blocks };
      }
    },
  };
}

/** An accepted credential with its part of the principal. */
interface Accepted {
  accepted: Partial<Principal>;
  warnings?: Message[];
  /** When it expires; absent when `watchCredentials` would not report a change of it. */
  ends?: Date;
}

/** The result of checking one credential: its part of the principal, or why it is rejected. */
type CredentialCheck = Accepted | { rejected: Message };

/**
 * How long a caller may cache the principal: until a credential expires, and not into the next minute, because the
 * minutes in which keys and sessions are used are stored. Bearer tokens are not cached: their expiry is in the token.
 */
function keepFor(accepted: readonly Accepted[], now: Date): number {
  const nextMinute = startOfMinute(now).getTime() + 60_000;
  const ends = accepted.map((check) => check.ends?.getTime() ?? 0);
  return Math.max(0, Math.min(nextMinute, ...ends) - now.getTime());
}

/** Checks each credential of the request. */
function checkEach(context: Context, request: AuthenticateRequest): (CredentialCheck | Promise<CredentialCheck>)[] {
  const { basic, bearerToken, session, clientCertificate } = request;
  return [
    ...(basic !== '' ? [checkApiKey(context, basic)] : []),
    ...(session !== '' ? [checkSession(context, session)] : []),
    ...(bearerToken !== '' ? [checkBearerToken(context, bearerToken)] : []),
    ...(clientCertificate.length > 0 ? [checkClientCertificate(clientCertificate, context.now())] : []),
  ];
}

/** The limits of one credential apply to all. `undefined` when the credentials belong to different accounts. */
function mergePrincipals(parts: Partial<Principal>[]): Principal | undefined {
  const accounts = new Set(parts.flatMap(({ accountId }) => accountId ?? []));
  if (accounts.size > 1) return undefined;
  const merged = Object.assign({}, ...parts) as Partial<Principal>;
  const credentials = parts.flatMap((part) => part.credentials ?? []);
  return Principal.fromPartial({ ...merged, credentials });
}

function rejectedFor(reasons: Message[]) {
  const distinct = new Map(reasons.map((message) => [message.text, message]));
  const outcome = AuthenticationOutcome.AUTHENTICATION_OUTCOME_REJECTED;
  return { outcome, messages: [...distinct.values()] };
}

/** Rejects a credential without the reason, which would help guessing. */
const rejected: CredentialCheck = { rejected: messages.rejected() };

/** Checks the value of "Authorization: Basic", which must be an API key. */
async function checkApiKey(context: Context, basic: string): Promise<CredentialCheck> {
  const credential = parseCredential(basic);
  if (!credential) return rejected;
  const record = await findApiKey(context.pool, credential.id);
  const now = context.now();
  if (!accepts(record, credential, context.audience, now)) return rejected;
  await noteUse(context, record, now);
  return {
    accepted: {
      credentials: [CredentialKind.CREDENTIAL_KIND_API_KEY],
      accountId: record.accountId,
      accountName: record.accountName,
      apiKeyId: record.id,
      maintainers: record.maintainer === '' ? [] : [record.maintainer],
    },
    ends: record.expires,
    warnings: expiresSoon(record.expires, now) ? [messages.endsSoon(record.id, record.expires)] : [],
  };
}

/** Stores the use of a key at most once a minute. A failure does not fail the request. */
async function noteUse({ pool, logger }: Context, record: ApiKeyRecord, now: Date): Promise<void> {
  const minute = startOfMinute(now);
  if (record.lastUsed && record.lastUsed >= minute) return;
  try {
    await noteKeyUse(pool, record.id, minute);
  } catch (error) {
    logger.warn({ err: error, apiKeyId: record.id }, 'cannot store the use of an API key');
  }
}

/** Checks the value of the session cookie, without a request to the identity provider. */
async function checkSession(context: Context, value: string): Promise<CredentialCheck> {
  const session = await useSession(context, value);
  if (!session) return rejected;
  const { accountId, accountName } = session;
  return {
    accepted: { credentials: [CredentialKind.CREDENTIAL_KIND_SESSION], accountId, accountName },
    ends: idleExpiry(session, context.sessionIdleMs),
  };
}

/** Checks a bearer token of the identity provider. Its account must be stored or in the directory. */
async function checkBearerToken(context: Context, token: string): Promise<CredentialCheck> {
  const subject = await context.identityProvider.subjectOf(token);
  if (subject === undefined) return rejected;
  const account = (await accountById(context.pool, subject)) ?? (await context.directory.byId(subject));
  if (!account) return rejected;
  const credentials = [CredentialKind.CREDENTIAL_KIND_BEARER_TOKEN];
  return { accepted: { credentials, accountId: account.id, accountName: account.name } };
}

/** More than the size of any certificate with one key. */
const maxCertificateBytes = 65_536;

/**
 * Checks the dates of a client's leaf certificate (decision W10). Its issuer does not matter: the certificate counts if
 * a mntner names a key-cert with exactly this certificate, and the TLS handshake proved possession of the key.
 */
function checkClientCertificate(der: Uint8Array, now: Date): CredentialCheck {
  const isBounded = der.length <= maxCertificateBytes && exceededDerBound(Buffer.from(der)) === undefined;
  const certificate = isBounded ? parseCertificate(der) : undefined;
  if (!certificate) return rejected;
  const problem = certificateProblem(certificate, now);
  if (problem) return { rejected: problem };
  const credentials = [CredentialKind.CREDENTIAL_KIND_CLIENT_CERTIFICATE];
  return {
    accepted: { credentials, keyFingerprints: [sha256Fingerprint(certificate)] },
    ends: certificate.validToDate,
  };
}
