import type { EndSessionRequest, EndSessionResponse } from '@cadastre/proto/auth';
import type { Context } from '../context.js';
import { hashOpaqueValue } from '../domain/opaque-value.js';
import { deleteSession } from '../store/sessions.js';

/** Revokes a session for good. */
export async function endSession({ pool }: Context, { session }: EndSessionRequest): Promise<EndSessionResponse> {
  await deleteSession(pool, hashOpaqueValue(session));
  return {};
}
