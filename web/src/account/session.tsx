import { type ComponentChildren, createContext } from 'preact';
import { useContext, useEffect, useState } from 'preact/hooks';
import { sessionEnded } from '../api/registry.js';
import { getSession, type Session } from '../api/session.js';

/** The session state; `loading` until the registry has responded. */
export type SignedIn =
  | { readonly state: 'loading' }
  | { readonly state: 'signed-out' }
  | ({ readonly state: 'signed-in' } & Session);

const SessionContext = createContext<SignedIn>({ state: 'loading' });

/** Fetches the session once, for all components. */
export function SessionProvider({ children }: { readonly children: ComponentChildren }) {
  const [signedIn, setSignedIn] = useState<SignedIn>({ state: 'loading' });
  useEffect(() => {
    const forget = () => setSignedIn({ state: 'signed-out' });
    addEventListener(sessionEnded, forget);
    return () => removeEventListener(sessionEnded, forget);
  }, []);
  useEffect(() => {
    getSession().then(
      (session) => setSignedIn(session ? { state: 'signed-in', ...session } : { state: 'signed-out' }),
      () => setSignedIn({ state: 'signed-out' }),
    );
  }, []);
  return <SessionContext.Provider value={signedIn}>{children}</SessionContext.Provider>;
}

export function useSession(): SignedIn {
  return useContext(SessionContext);
}
