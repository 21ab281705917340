import { useTitle } from '../design/title.js';
import './account.css';
import { ApiKeys } from './api-keys.js';
import { MaintainerList } from './maintainer-list.js';
import { useSession } from './session.js';
import { SignInButton } from './sign-in-button.js';

/** What belongs to the account: its maintainers and its API keys. */
export function AccountPage() {
  useTitle('Account');
  const session = useSession();
  if (session.state === 'asking') return <p role="status">Asking who is signed in …</p>;
  if (session.state === 'nobody') {
    return (
      <section class="card stack">
        <h1>Account</h1>
        <p>Sign in to see the maintainers that you act for, and to make API keys for your scripts.</p>
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
      <MaintainerList />
      <ApiKeys />
    </div>
  );
}
