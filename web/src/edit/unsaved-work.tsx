import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { useSession } from '../account/session.js';
import { signingIn } from '../api/session.js';
import { useLeaveQuestion } from '../router.js';
import { FoundWork } from './found-work.js';
import { dropWork, findWork, keepWork, tabStorage } from './saved-work.js';

/** The unsaved work of a page. */
export interface UnsavedWork {
  /** Offers earlier work, to restore or to discard; nothing when there is none. */
  readonly offer: ComponentChildren;
  /** Whether the tab preserves the work when the user leaves the page. */
  readonly isKept: boolean;
  /** Drops the work, because it is saved: leaving needs no question any more. */
  readonly finish: () => void;
}

/**
 * Stores the work of a page in the tab while it has changes (`work` is defined), and asks before the user leaves the
 * page with changes. Earlier work remains in the tab until it is restored or discarded, or until there are newer
 * changes; if the user left the page to sign in, it is restored immediately.
 */
export function useUnsavedWork<T>(page: string, work: T | undefined, restore: (stored: T) => void): UnsavedWork {
  const session = useSession();
  const account = session.state === 'signed-in' ? session.account : '';
  const [found, setFound] = useState(() => findWork<T>(tabStorage(), page, account));
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
  const accept = (stored: T) => {
    answer();
    restore(stored);
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
    offer: found && !found.resumes && (
      <FoundWork saved={found.saved} restore={() => accept(found.work)} discard={answer} />
    ),
    isKept,
    finish: () => {
      isSafe.current = true;
      dropWork(tabStorage(), page);
    },
  };
}
