import type { ComponentChildren } from 'preact';
import { HttpsNotice } from '../account/https-address.js';
import { useSession } from '../account/session.js';
import { SignInButton } from '../account/sign-in-button.js';
import { signOut } from '../api/session.js';
import { dropAllWork, tabStorage } from '../edit/saved-work.js';
import { pastOf, pastText } from '../past/past.js';
import { paths } from '../paths.js';
import { HeaderSearch } from '../query/header-search.js';
import { searchBoxId } from '../query/search-box.js';
import { Link, navigate, type Place } from '../router.js';
import { useAttempt } from './attempt.js';
import { Button } from './button.js';
import { useFocusOnChange } from './focus.js';
import './frame.css';
import mark from './mark.svg';
import { Alert } from './messages.js';

const sections: readonly (readonly [title: string, to: string, isCurrent: (path: string) => boolean])[] = [
  ['Search', paths.home, (path) => path === paths.home || path === '/-/query'],
  ['Bulk lookup', paths.bulk, (path) => path === paths.bulk],
  ['Create', paths.create(), (path) => path.startsWith(paths.create())],
  ['My resources', paths.resources(), (path) => path === paths.resources()],
  ['Account', paths.account, (path) => path === paths.account],
];

/** The frame around every page. */
export function Frame({ place, children }: { readonly place: Place; readonly children: ComponentChildren }) {
  const past = pastOf(place.query);
  // Screen readers announce the new page.
  useFocusOnChange(past ? `${place.path}, ${pastText(past)}` : place.path, searchBoxId);
  return (
    <>
      <a class="skip" href="#main">
        Skip to the content
      </a>
      <header class="frame-head">
        <div class="width">
          <Link to="/" class="frame-name">
            <img src={mark} alt="" />
            Cadastre
          </Link>
          <nav class="frame-nav" aria-label="Main">
            {sections.map(([title, to, isCurrent]) => (
              <Link key={to} to={to} current={isCurrent(place.path)} text={title} />
            ))}
          </nav>
          <Who />
          {place.path !== paths.home && place.path !== '/-/query' && <HeaderSearch key={place.path} />}
        </div>
      </header>
      <HttpsNotice />
      <main id="main" class="width" tabIndex={-1}>
        {children}
      </main>
      <footer class="frame-foot">
        <div class="width row spread">
          <span>Cadastre, a registry database for Internet number resources</span>
          <nav class="row" aria-label="About this registry">
            <Link to={paths.sources}>Sources and terms</Link>
            <a href="/docs">REST interface</a>
            <a href="/openapi.json">OpenAPI</a>
          </nav>
        </div>
      </footer>
    </>
  );
}

function Who() {
  const session = useSession();
  const leaving = useAttempt();
  if (session.state === 'loading') return <span class="frame-who">…</span>;
  if (session.state === 'signed-out') return <SignInButton class="slim" />;
  const leave = () =>
    leaving.begin(async () => {
      // Leaving the page first asks about unsaved work.
      if (!navigate(paths.home)) return undefined;
      const next = (await signOut()) ?? paths.home;
      dropAllWork(tabStorage());
      location.assign(next);
      return undefined;
    });
  return (
    <span class="frame-session">
      <span class="frame-who" title={session.account}>
        {session.account}
      </span>
      <Button class="slim" label="Sign out" disabled={leaving.isBusy} act={leave} />
      <Alert messages={leaving.refused} />
    </span>
  );
}
