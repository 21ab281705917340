import { type ComponentChildren, createContext } from 'preact';
import { useContext, useEffect, useState } from 'preact/hooks';
import { sessionDoubtful, sessionEnded } from '../api/registry.js';
import { signedInAccount } from '../api/session.js';
import { useWindowEvent } from '../design/window-event.js';

/** The session of the user. */
export interface SignedIn {
  /** `loading` until the registry has responded. */
  readonly state: 'loading' | 'signed-out' | 'signed-in';
  /** Empty without a session. */
  readonly account: string;
  /** Whether this page had a session before. */
  readonly hasEnded: boolean;
}

const unknown: SignedIn = { state: 'loading', account: '', hasEnded: false };

const hint = 'cadastre:signed-in';

/** Whether somebody was signed in on the page before; no without storage. */
function wasSignedIn(): boolean {
  try {
    return localStorage.getItem(hint) !== null;
  } catch {
    return false;
  }
}

function noteSignedIn(isSignedIn: boolean): void {
  try {
    if (isSignedIn) localStorage.setItem(hint, '');
    else localStorage.removeItem(hint);
  } catch {
    // The next page guesses.
  }
}

const SessionContext = createContext(unknown);

/** Fetches the session once, for all components, and notices its end. */
export function SessionProvider({ children }: { readonly children: ComponentChildren }) {
  const [signedIn, setSignedIn] = useState(unknown);
  const forget = () =>
    setSignedIn((before) =>
      before.state === 'signed-out'
        ? before
        : { state: 'signed-out', account: '', hasEnded: before.state === 'signed-in' },
    );
  const load = async () => {
    const account = await signedInAccount();
    if (account !== undefined) setSignedIn({ state: 'signed-in', account, hasEnded: false });
    else forget();
  };
  useEffect(() => {
    load().catch(forget);
  }, []);
  useEffect(() => {
    if (signedIn.state !== 'loading') noteSignedIn(signedIn.state === 'signed-in');
  }, [signedIn.state]);
  // Without a response nothing changes.
  const look = () => load().catch(() => {});
  useWindowEvent(sessionEnded, forget);
  useWindowEvent(sessionDoubtful, () => signedIn.state === 'signed-in' && look());
  // The user may have signed in again in another tab.
  useWindowEvent('visibilitychange', () => signedIn.hasEnded && document.visibilityState === 'visible' && look());
  return <SessionContext.Provider value={signedIn}>{children}</SessionContext.Provider>;
}

export function useSession(): SignedIn {
  return useContext(SessionContext);
}

/** Whether somebody is signed in, or probably is, while the registry has not responded. */
export function useIsSignedIn(): boolean {
  const { state } = useSession();
  return state === 'loading' ? wasSignedIn() : state === 'signed-in';
}
