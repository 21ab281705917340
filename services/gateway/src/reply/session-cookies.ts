import type { FastifyRequest } from 'fastify';

/**
 * Names of the cookies. Because of the prefix, browsers accept them only over HTTPS, from exactly this host and for all
 * paths (RFC 6265bis section 4.1.3.2), so that no other host of the domain can set one.
 */
export const cookieNames = {
  session: '__Host-cadastre-session',
  signIn: '__Host-cadastre-sign-in',
  signedOut: '__Host-cadastre-signed-out',
};

const attributes = 'Path=/; Secure; HttpOnly; SameSite=Lax';

/** The value of the session cookie; `undefined` when there is none. */
export function sessionOf(request: FastifyRequest): string | undefined {
  return cookieOf(request, cookieNames.session);
}

/** The value of a cookie; `undefined` when it is absent or empty. */
export function cookieOf({ headers: { cookie } }: FastifyRequest, name: string): string | undefined {
  if (cookie === undefined) return undefined;
  for (const pair of cookie.split(';')) {
    const equals = pair.indexOf('=');
    if (equals > 0 && pair.slice(0, equals).trim() === name) return pair.slice(equals + 1).trim() || undefined;
  }
  return undefined;
}

/** The header Set-Cookie that sets a cookie with an expiry. */
export function setCookie(name: string, value: string, expires: Date): string {
  const seconds = Math.max(0, Math.floor((expires.getTime() - Date.now()) / 1000));
  return `${name}=${value}; Max-Age=${seconds}; ${attributes}`;
}

/** The header Set-Cookie that removes a cookie. */
export function clearCookie(name: string): string {
  return `${name}=; Max-Age=0; ${attributes}`;
}
