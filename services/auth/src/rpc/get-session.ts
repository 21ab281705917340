import type { GetSessionRequest, GetSessionResponse } from '@cadastre/proto/auth';
import type { Context } from '../context.js';
import { useSession } from '../credentials/session.js';
import { idleExpiry } from '../domain/session.js';

/** Tells whose session a value belongs to; nothing when it belongs to none. */
export async function getSession(context: Context, request: GetSessionRequest): Promise<GetSessionResponse> {
  const session = await useSession(context, request.session);
  if (!session) return {};
  const { accountId, accountName, created, expires } = session;
  const idleExpires = idleExpiry(session, context.sessionIdleMs);
  return { account: { id: accountId, name: accountName }, created, expires, idleExpires };
}
