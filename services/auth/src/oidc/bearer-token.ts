import { type JWTVerifyGetKey, jwtVerify } from 'jose';
import { isAccountId } from '../domain/accounts.js';

/** The required claims of a bearer token. */
interface TokenRules {
  issuer: string;
  audience: string;
  /** Without it, a token needs no scope. */
  scope: string | undefined;
}

/** Asymmetric algorithms only: everyone who knows a shared secret could sign tokens. */
const algorithms = 'RS256 RS384 RS512 PS256 PS384 PS512 ES256 ES384 ES512 EdDSA Ed25519'.split(' ');
const clockToleranceSeconds = 60;
const maxLength = 16_384;

/** Whether a text has the form of a JWT; cheap, so that other texts cause no request to the identity provider. */
export function isJwt(text: string): boolean {
  return text.length <= maxLength && /^[\w-]+\.[\w-]+\.[\w-]+$/.test(text);
}

/**
 * Verifies a bearer token and returns its subject; `undefined` when a claim is wrong that `jwtVerify` does not check.
 * Throws the errors of `jwtVerify`.
 */
export async function verifyBearerToken(
  token: string,
  keys: JWTVerifyGetKey,
  { issuer, audience, scope }: TokenRules,
  now: Date,
): Promise<string | undefined> {
  const { payload } = await jwtVerify(token, keys, {
    issuer,
    audience,
    algorithms,
    currentDate: now,
    clockTolerance: clockToleranceSeconds,
    requiredClaims: ['sub', 'exp', 'iat'],
  });
  const isIssued = payload.iat! <= now.getTime() / 1000 + clockToleranceSeconds;
  return isIssued && isAccountId(payload.sub!) && hasScope(payload, scope) ? payload.sub : undefined;
}

/** Spaces separate the scopes (RFC 9068, section 2.2.3). */
function hasScope({ scope }: Record<string, unknown>, required: string | undefined): boolean {
  return required === undefined || (typeof scope === 'string' && scope.split(' ').includes(required));
}
