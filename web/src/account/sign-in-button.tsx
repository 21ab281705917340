import { signIn } from '../api/session.js';

/** Signing in needs HTTPS: over plain HTTP this says so. */
export function SignInButton({ class: look = 'primary' }: { readonly class?: string }) {
  if (location.protocol === 'http:') return <span class="small soft">Signing in needs HTTPS</span>;
  return (
    <button type="button" class={look} onClick={signIn}>
      Sign in
    </button>
  );
}
