import type { ComponentChildren } from 'preact';
import { signIn } from '../api/session.js';
import { Button } from '../design/button.js';
import { Waiting } from '../design/load.js';
import { useHttpsPage } from './https-address.js';
import { useSession } from './session.js';

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
  return <Button class={look} label="Sign in" act={signIn} />;
}

interface SignInHintProps {
  readonly class?: string;
  /** What the session is for. */
  readonly children: ComponentChildren;
}

/** Asks a visitor to sign in. Empty after the end of a session, which the page reports otherwise. */
export function SignInHint({ class: look = '', children }: SignInHintProps) {
  const { state, hasEnded } = useSession();
  if (state !== 'signed-out' || hasEnded) return null;
  return (
    <p class={`row ${look}`}>
      {children} <SignInButton class="slim" />
    </p>
  );
}

interface OnlySignedInProps {
  /** The heading for visitors. */
  readonly title: string;
  /** What there is after signing in. */
  readonly invitation: string;
  /** Whether who was signed in stays on the page; default: no. */
  readonly staysAfterEnd?: boolean;
  readonly children: ComponentChildren;
}

/** What only signed-in users see; visitors are invited to sign in. */
export function OnlySignedIn({ title, invitation, staysAfterEnd = false, children }: OnlySignedInProps) {
  const { state, hasEnded } = useSession();
  if (state === 'loading') return <Waiting what="your session" />;
  if (state === 'signed-in' || (hasEnded && staysAfterEnd)) return <>{children}</>;
  return (
    <section class="card stack">
      <h1>{title}</h1>
      <p>{invitation}</p>
      <p>
        <SignInButton />
      </p>
    </section>
  );
}
