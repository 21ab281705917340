import { SignInButton } from '../design/frame.js';
import { useTitle } from '../design/title.js';
import { useSession } from './session.js';

export function AccountPage() {
  useTitle('Account');
  const session = useSession();
  return (
    <section class="card">
      <h1>Account</h1>
      {session.state === 'signed-in' ? <p>{session.account}</p> : <SignInButton />}
    </section>
  );
}
