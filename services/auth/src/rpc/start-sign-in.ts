import type { StartSignInRequest, StartSignInResponse } from '@cadastre/proto/auth';
import { ServiceError } from '@cadastre/service';
import type { Context } from '../context.js';
import { messages } from '../domain/messages.js';
import { hashOpaqueValue, newOpaqueValue } from '../domain/opaque-value.js';
import { isReturnPath } from '../domain/return-path.js';
import { signInSecrets } from '../oidc/sign-in-secrets.js';
import { insertSignIn } from '../store/sign-ins.js';

const lifetimeMs = 600_000;

/** Begins a sign-in at the identity provider. */
export async function startSignIn(context: Context, request: StartSignInRequest): Promise<StartSignInResponse> {
  const { returnPath } = request;
  if (!isReturnPath(returnPath)) throw new ServiceError('invalid', [messages.badReturnPath()]);
  const signInToken = newOpaqueValue();
  const authorizationUrl = await context.identityProvider.authorizationUrl(signInSecrets(signInToken));
  if (authorizationUrl === undefined) throw new ServiceError('unimplemented', [messages.noSignIn()]);
  const now = context.now();
  const expires = new Date(now.getTime() + lifetimeMs);
  await insertSignIn(context.pool, { tokenHash: hashOpaqueValue(signInToken), returnPath, expires }, now);
  return { authorizationUrl, signInToken, expires };
}
