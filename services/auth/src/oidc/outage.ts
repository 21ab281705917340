import { errors } from 'jose';
import { ClientError, ResponseBodyError } from 'openid-client';

const outageCodes = new Set<string | undefined>([
  'OAUTH_TIMEOUT',
  'OAUTH_ABORT',
  'OAUTH_RESPONSE_IS_NOT_CONFORM',
  'OAUTH_RESPONSE_IS_NOT_JSON',
]);

/** Whether an identity provider failed to answer, in contrast to an answer that says no. */
export function isOutage(error: unknown): boolean {
  if (error instanceof ResponseBodyError) return error.status >= 500;
  if (error instanceof ClientError) return outageCodes.has(error.code) || isFailedFetch(error.cause);
  if (error instanceof errors.JOSEError) return error.code === 'ERR_JWKS_TIMEOUT' || error.code === 'ERR_JOSE_GENERIC';
  return isFailedFetch(error);
}

function isFailedFetch(error: unknown): boolean {
  return error instanceof TypeError && error.message === 'fetch failed';
}
