import { type ComponentChildren, createContext } from 'preact';
import { useContext, useEffect, useState } from 'preact/hooks';
import { httpsOrigin } from '../api/session.js';
import './https-address.css';

const HttpsOrigin = createContext<string | undefined>(undefined);

const isPlain = () => location.protocol === 'http:';

/** On pages over plain HTTP, finds the address over HTTPS, for all components. */
export function HttpsAddressProvider({ children }: { readonly children: ComponentChildren }) {
  const [origin, setOrigin] = useState<string>();
  useEffect(() => {
    // Without a response the page names no address.
    if (isPlain()) httpsOrigin().then(setOrigin, () => {});
  }, []);
  return <HttpsOrigin.Provider value={origin}>{children}</HttpsOrigin.Provider>;
}

/** The address of this page over HTTPS; undefined while it is unknown, and over HTTPS. */
export function useHttpsPage(): string | undefined {
  const origin = useContext(HttpsOrigin);
  return origin && `${origin}${location.pathname}${location.search}`;
}

/** Lists what a page over plain HTTP cannot do; not on the user's own machine, whose network no attacker reads. */
export function HttpsNotice() {
  const secure = useHttpsPage();
  if (!isPlain() || ['localhost', '127.0.0.1', '[::1]'].includes(location.hostname)) return null;
  return (
    <aside class="https-notice warned" aria-label="Connection">
      <p class="width">
        This connection is not encrypted. Signing in, passwords and changes need HTTPS
        {secure ? (
          <>
            : <a href={secure}>open this page over HTTPS</a>.
          </>
        ) : (
          '.'
        )}
      </p>
    </aside>
  );
}
