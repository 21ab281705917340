import { Waiting } from '../design/load.js';
import { useTitle } from '../design/title.js';
import './account.css';
import { ApiKeys } from './api-keys.js';
import { MaintainerList } from './maintainer-list.js';
import { useSession } from './session.js';
import { SignInButton } from './sign-in-button.js';
import { StoredToday } from './stored.js';
import { Webhooks } from './webhooks.js';

/** The account page: maintainers, API keys and webhooks. */
export function AccountPage() {
  useTitle('Account');
  const session = useSession();
  if (session.state === 'loading') return <Waiting what="your session" />;
  if (session.state === 'signed-out') {
    return (
      <section class="card stack">
        <h1>Account</h1>
        <p>Sign in to see the maintainers that you act for, and to create API keys for your scripts.</p>
        <p>
          <SignInButton />
        </p>
      </section>
    );
  }
  return (
    <div class="stack">
      <h1>Account</h1>
      <p class="soft">Signed in as {session.account}.</p>
      <StoredToday />
      <MaintainerList />
      <ApiKeys />
      <Webhooks />
    </div>
  );
}
