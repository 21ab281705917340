import { type ComponentChildren, createContext } from 'preact';
import { useContext, useEffect, useState } from 'preact/hooks';
import { sessionEnded } from '../api/registry.js';
import { getSession, type Session } from '../api/session.js';

/** Whether somebody is signed in: `asking` until the registry has said so. */
export type SignedIn =
  | { readonly state: 'asking' }
  | { readonly state: 'nobody' }
  | ({ readonly state: 'signed-in' } & Session);

const SessionContext = createContext<SignedIn>({ state: 'asking' });

/** Asks once who is signed in, and tells all components. */
export function SessionProvider({ children }: { readonly children: ComponentChildren }) {
  const [signedIn, setSignedIn] = useState<SignedIn>({ state: 'asking' });
  useEffect(() => {
    const forget = () => setSignedIn({ state: 'nobody' });
    addEventListener(sessionEnded, forget);
    return () => removeEventListener(sessionEnded, forget);
  }, []);
  useEffect(() => {
    getSession().then(
      (session) => setSignedIn(session ? { state: 'signed-in', ...session } : { state: 'nobody' }),
      () => setSignedIn({ state: 'nobody' }),
    );
  }, []);
  return <SessionContext.Provider value={signedIn}>{children}</SessionContext.Provider>;
}

export function useSession(): SignedIn {
  return useContext(SessionContext);
}
