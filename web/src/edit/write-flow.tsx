import { useEffect, useRef, useState } from 'preact/hooks';
import { useSession } from '../account/session.js';
import { SignInButton } from '../account/sign-in-button.js';
import { signingIn } from '../api/session.js';
import { Button } from '../design/button.js';
import { focusPage } from '../design/focus.js';
import { dateText } from '../design/format.js';
import { useWindowEvent } from '../design/window-event.js';
import { useLeaveQuestion } from '../router.js';
import { dropWork, findWork, type SavedWork, storeWork, tabStorage } from './saved-work.js';
import { useSaving } from './saving.js';

/**
 * Writes the objects of a page with the session of the user. Stores the work of the page in the tab while there is
 * `unsaved` work, and asks before the page is left with it. Work from before stays in the tab until it is restored or
 * discarded, or until there is newer work; if the page was left to sign in, it is restored immediately.
 */
export function useWriteFlow<T extends object>(page: string, unsaved: T | undefined, restore: (stored: T) => void) {
  const { account, hasEnded } = useSession();
  const saving = useSaving();
  const work = unsaved && { ...unsaved, key: saving.key };
  const [found, setFound] = useState(() => findWork<T & { readonly key: string }>(tabStorage(), page, account));
  const [isStored, setStored] = useState(true);
  /** Whether leaving needs no question. */
  const isSafe = useRef(false);
  const store = (resumes: boolean) =>
    storeWork(tabStorage(), page, { saved: new Date().toISOString(), account, resumes, work });
  const text = JSON.stringify(work);

  useEffect(() => {
    isSafe.current = false;
    if (work !== undefined) setStored(store(false));
    else if (found === undefined) dropWork(tabStorage(), page);
  }, [text, found]);

  useWindowEvent(signingIn, () => {
    if (work !== undefined) isSafe.current = store(true);
  });

  const answer = () => setFound(undefined);
  const discard = () => {
    // A reload may come before the effect.
    dropWork(tabStorage(), page);
    answer();
  };
  const accept = (stored: T & { readonly key: string }) => {
    answer();
    restore(stored);
    if (stored.key !== '') saving.setKey(stored.key);
  };
  useEffect(() => {
    if (found?.resumes) accept(found.work);
  }, []);

  useLeaveQuestion(() => {
    if (work === undefined || isSafe.current) return false;
    // The effect that stores the work may not have run yet.
    store(false);
    return true;
  });
  /** Says that the session has ended, or that the tab cannot store the work, and offers earlier work. */
  const notice = (
    <>
      {hasEnded && <SessionEnded isStored={isStored} />}
      {found && !found.resumes && <FoundWork found={found} restore={() => accept(found.work)} discard={discard} />}
      {work !== undefined && !isStored && !hasEnded && (
        <p class="small soft">This browser cannot store your changes: save them before you leave this page.</p>
      )}
    </>
  );
  /** Drops the work, because it is saved: leaving needs no question any more. */
  const finish = () => {
    isSafe.current = true;
    dropWork(tabStorage(), page);
  };
  return { account, hasEnded, saving, notice, finish };
}

function SessionEnded({ isStored }: { readonly isStored: boolean }) {
  return (
    <p class="row card warned" role="alert">
      {isStored ? (
        <>
          Your session has ended. Sign in again; your changes are stored. <SignInButton class="slim" />
        </>
      ) : (
        'Your session has ended. This browser cannot store your changes: sign in again in another tab, then come back.'
      )}
    </p>
  );
}

interface FoundWorkProps {
  readonly found: SavedWork<unknown>;
  readonly restore: () => void;
  readonly discard: () => void;
}

function FoundWork({ found, restore, discard }: FoundWorkProps) {
  const answer = (act: () => void) => () => {
    act();
    focusPage();
  };
  return (
    <div class="row spread card" role="status">
      <span>You have unsaved changes of {dateText(found.saved)}.</span>
      <span class="row">
        <Button class="primary slim" label="Restore" act={answer(restore)} />
        <Button class="slim" label="Discard" act={answer(discard)} />
      </span>
    </div>
  );
}
