import { type ComponentChildren, createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { listOwnMaintainers, type OwnMaintainer } from '../api/account.js';
import { type Loaded, useLoad } from '../design/load.js';
import { paths } from '../paths.js';
import { Link } from '../router.js';
import { type SignedIn, useSession } from './session.js';

const OwnMaintainers = createContext<Loaded<OwnMaintainer[]>>({ state: 'loading' });

/** Fetches the maintainers of the signed-in account for all components; none without a session. */
export function OwnMaintainersProvider({ children }: { readonly children: ComponentChildren }) {
  const session = useSession();
  const loaded = useLoad(session.state, (signal) => maintainersOf(session, signal));
  return <OwnMaintainers.Provider value={loaded}>{children}</OwnMaintainers.Provider>;
}

function maintainersOf({ state }: SignedIn, signal: AbortSignal): Promise<OwnMaintainer[]> {
  if (state === 'loading') return new Promise(() => {});
  return state === 'signed-out' ? Promise.resolve([]) : listOwnMaintainers(signal);
}

/** The maintainers of the signed-in account. */
export function useOwnMaintainers(): Loaded<OwnMaintainer[]> {
  return useContext(OwnMaintainers);
}

/** What to do without a maintainer. */
export function NoMaintainer() {
  return (
    <p class="card">
      No maintainer has your account in its “auth”, so nothing is yours yet.{' '}
      <Link to={paths.create('first')}>Create a maintainer</Link>, or ask a colleague to add “auth: SSO” with your
      account to theirs.
    </p>
  );
}
