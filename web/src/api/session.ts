import { answerOf, RequestFailed, registry } from './registry.js';

/** Who is signed in in this browser. */
export interface Session {
  /** E-mail address of the account. */
  readonly account: string;
  /** When it ends at the latest (ISO 8601). */
  readonly expires: string;
}

/** The session; `undefined` when nobody is signed in. Throws a RequestFailed. */
export async function getSession(): Promise<Session | undefined> {
  try {
    return (await answerOf(registry.GET('/session'))).session;
  } catch (error) {
    // 426: over plain HTTP nobody can be signed in.
    if (error instanceof RequestFailed && (error.status === 401 || error.status === 426)) return undefined;
    throw error;
  }
}

/** Ends the session. Throws a RequestFailed. */
export async function signOut(): Promise<void> {
  await answerOf(registry.DELETE('/session'));
}

/** Sends the browser to the identity provider, and back to the page that is shown. */
export function signIn(): void {
  const { pathname, search } = location;
  location.assign(`/session/login?return=${encodeURIComponent(`${pathname}${search}`)}`);
}
