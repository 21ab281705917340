import { CredentialKind } from '@cadastre/proto/registry';
import type { Context } from '../context.js';
import { startOfMinute } from '../domain/minute.js';
import { hashOpaqueValue, isOpaqueValue } from '../domain/opaque-value.js';
import { lasts, type SessionRecord } from '../domain/session.js';
import { findSession, noteSessionUse } from '../store/sessions.js';
import { type Finding, rejected } from './finding.js';

/** Checks the value of the session cookie. The identity provider is not asked. */
export async function checkSession(context: Context, value: string): Promise<Finding> {
  const session = await useSession(context, value);
  if (!session) return rejected;
  const { accountId, accountName } = session;
  return { accepted: { credentials: [CredentialKind.CREDENTIAL_KIND_SESSION], accountId, accountName } };
}

/** The session with a value, unless it has ended; its use is noted to the minute. */
export async function useSession(context: Context, value: string): Promise<SessionRecord | undefined> {
  if (!isOpaqueValue(value)) return undefined;
  const hash = hashOpaqueValue(value);
  const now = context.now();
  const session = await findSession(context.pool, hash);
  if (!session || !lasts(session, context.sessionIdleMs, now)) return undefined;
  const minute = startOfMinute(now);
  if (session.lastUsed >= minute) return session;
  await noteSessionUse(context.pool, hash, minute);
  return { ...session, lastUsed: minute };
}
