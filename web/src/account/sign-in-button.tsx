import { signIn } from '../api/session.js';

/** The sign-in button; over plain HTTP a hint, because sign-in needs HTTPS. */
export function SignInButton({ class: look = 'primary' }: { readonly class?: string }) {
  if (location.protocol === 'http:') return <span class="small soft">Signing in needs HTTPS</span>;
  return (
    <button type="button" class={look} onClick={signIn}>
      Sign in
    </button>
  );
}
