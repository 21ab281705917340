import { signIn } from '../api/session.js';
import { useHttpsPage } from './https-address.js';

/** The sign-in button; over plain HTTP a link to the same page over HTTPS, which sign-in needs. */
export function SignInButton({ class: look = 'primary' }: { readonly class?: string }) {
  const secure = useHttpsPage();
  if (location.protocol === 'http:') {
    if (secure === undefined) return <span class="small soft">Signing in needs HTTPS</span>;
    return (
      <a class={`button ${look}`} href={secure}>
        Sign in over HTTPS
      </a>
    );
  }
  return (
    <button type="button" class={look} onClick={signIn}>
      Sign in
    </button>
  );
}
