import { SignInButton } from '../account/sign-in-button.js';

/** Reports that the session ended while the user worked. */
export function SessionEnded({ isKept }: { readonly isKept: boolean }) {
  return (
    <p class="row card session-ended" role="alert">
      {isKept ? (
        <>
          Your session has ended. Sign in again; your changes are stored. <SignInButton class="slim" />
        </>
      ) : (
        'Your session has ended. This browser cannot store your changes: sign in again in another tab, then come back.'
      )}
    </p>
  );
}
