import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { useSession } from '../account/session.js';
import { signingIn } from '../api/session.js';
import { useLeaveQuestion } from '../router.js';
import { FoundWork } from './found-work.js';
import { dropWork, findWork, keepWork, tabStorage } from './saved-work.js';
import { type Saving, useSaving } from './saving.js';
import { SessionEnded } from './session-ended.js';

/** How a page writes objects. */
export interface WriteFlow {
  /** Who writes; empty without a session. */
  readonly account: string;
  /** Whether the session ended while the user worked. */
  readonly hasEnded: boolean;
  readonly saving: Saving;
  /** Says that the session has ended, and offers earlier work, to restore or to discard. */
  readonly notice: ComponentChildren;
  /** Whether the tab preserves the work when the user leaves the page. */
  readonly isKept: boolean;
  /** Drops the work, because it is saved: leaving needs no question any more. */
  readonly finish: () => void;
}

/**
 * Writes the objects of a page with the session of the user. Keeps the work of the page in the tab while there is
 * `unsaved` work, and asks before the page is left with it. Work from before stays in the tab until it is restored or
 * discarded, or until there is newer work; if the page was left to sign in, it is restored immediately.
 */
export function useWriteFlow<T extends object>(
  page: string,
  unsaved: T | undefined,
  restore: (stored: T) => void,
): WriteFlow {
  const session = useSession();
  const saving = useSaving();
  const work = unsaved && { ...unsaved, key: saving.key };
  const hasEnded = session.state === 'signed-out' && session.hasEnded;
  const account = session.state === 'signed-in' ? session.account : '';
  const [found, setFound] = useState(() => findWork<T & { readonly key: string }>(tabStorage(), page, account));
  const [isKept, setKept] = useState(true);
  /** Whether leaving needs no question. */
  const isSafe = useRef(false);
  const keep = (resumes: boolean) =>
    keepWork(tabStorage(), page, { saved: new Date().toISOString(), account, resumes, work });
  const text = JSON.stringify(work);

  useEffect(() => {
    isSafe.current = false;
    if (work !== undefined) setKept(keep(false));
    else if (found === undefined) dropWork(tabStorage(), page);
  }, [text, found]);

  useEffect(() => {
    const leave = () => {
      if (work !== undefined) isSafe.current = keep(true);
    };
    addEventListener(signingIn, leave);
    return () => removeEventListener(signingIn, leave);
  }, [text, account]);

  const answer = () => setFound(undefined);
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
    keep(false);
    return true;
  });
  return {
    account,
    hasEnded,
    saving,
    notice: (
      <>
        {hasEnded && <SessionEnded isKept={isKept} />}
        {found && !found.resumes && (
          <FoundWork saved={found.saved} restore={() => accept(found.work)} discard={answer} />
        )}
      </>
    ),
    isKept,
    finish: () => {
      isSafe.current = true;
      dropWork(tabStorage(), page);
    },
  };
}
