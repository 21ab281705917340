import { answerOf, linkedUrl, reached, registry, undefinedOn } from './registry.js';

/** The account that is signed in in this browser; `undefined` without a session. Throws a RequestFailed. */
export async function signedInAccount(): Promise<string | undefined> {
  // 426: sessions need HTTPS.
  return (await undefinedOn(answerOf(registry.GET('/session')), 401, 426))?.session.account;
}

/** Ends the session. Returns where the browser ends that of the identity provider, if it can. Throws a RequestFailed. */
export async function signOut(): Promise<string | undefined> {
  return (await answerOf(registry.DELETE('/session')))['sign-out-url'];
}

/** Dispatched on the window before the browser leaves in order to sign in: it returns to the same page. */
export const signingIn = 'cadastre:signing-in';

/** Redirects the browser to the identity provider, and then back to the current page. */
export function signIn(): void {
  const { pathname, search } = location;
  dispatchEvent(new Event(signingIn));
  location.assign(`/session/login?return=${encodeURIComponent(`${pathname}${search}`)}`);
}

/** The origin of the registry over HTTPS, from the refusal of a request over plain HTTP; undefined if that has none. */
export async function httpsOrigin(): Promise<string | undefined> {
  const refusal = await reached(new Request(new URL('/session', location.href), { method: 'HEAD' }));
  return linkedUrl(refusal.headers, 'alternate')?.origin;
}
