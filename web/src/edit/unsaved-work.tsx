import { useEffect, useRef, useState } from 'preact/hooks';
import { useSession } from '../account/session.js';
import { signingIn } from '../api/session.js';
import { useLeaveQuestion } from '../router.js';
import { dropWork, findWork, type KeptWork, keepWork, tabStorage } from './kept-work.js';

/** The unsaved work of a page. */
export interface UnsavedWork<T> {
  /** Work from before, to go on with or to discard. */
  readonly found: KeptWork<T> | undefined;
  /** Forgets what was found: it is in the form again, or not wanted. */
  readonly answer: () => void;
  /** Whether the tab keeps the work when the page is left. */
  readonly isKept: boolean;
  /** Forgets the work, because it is saved: leaving asks no longer. */
  readonly finish: () => void;
}

/**
 * Keeps the work of a page in the tab while it has changes (`work` is defined), and asks before the page is left with
 * changes. What was found stays in the tab until it is answered, or until there are newer changes.
 */
export function useUnsavedWork<T>(page: string, work: T | undefined): UnsavedWork<T> {
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

  useLeaveQuestion(() => work !== undefined && !isSafe.current);
  return {
    found,
    answer: () => setFound(undefined),
    isKept,
    finish: () => {
      isSafe.current = true;
      dropWork(tabStorage(), page);
    },
  };
}
