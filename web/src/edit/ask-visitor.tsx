import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { useIsSignedIn, useSession } from '../account/session.js';
import { SignInButton } from '../account/sign-in-button.js';
import { Button } from '../design/button.js';
import { focusPage } from '../design/focus.js';
import { Waiting } from '../design/load.js';

interface AskVisitorProps {
  /** The heading of the question; absent on a page that has one. */
  readonly heading?: string;
  /** What looks up objects with the attributes that visitors do not see elsewhere. */
  readonly children: () => ComponentChildren;
}

/** Asks a visitor to sign in or to continue without an account, before the page looks up complete objects. */
export function AskVisitor({ heading, children }: AskVisitorProps) {
  const { state, hasEnded } = useSession();
  const isSignedIn = useIsSignedIn();
  const [isVisitor, setVisitor] = useState(false);
  // Who was signed in stays where he works.
  if (isSignedIn || hasEnded || isVisitor) return <>{children()}</>;
  if (state === 'loading') return <Waiting what="your session" />;
  const enter = () => {
    setVisitor(true);
    focusPage();
  };
  return (
    <section class="card stack">
      {heading && <h1>{heading}</h1>}
      <p>
        Saving needs an account. Without one you can try everything: the page then reads complete objects, with e-mail
        addresses.
      </p>
      <p class="row">
        <SignInButton />
        <Button label="Try without an account" act={enter} />
      </p>
    </section>
  );
}
