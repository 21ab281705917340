/** Unsaved work on one page, as this tab keeps it. */
export interface SavedWork<T> {
  /** When it was kept (ISO 8601). */
  readonly saved: string;
  /** The account that did it; empty without a session. */
  readonly account: string;
  /** Whether the user left to come back, in order to sign in: then the page goes on without a question. */
  readonly resumes: boolean;
  readonly work: T;
}

/** The part of a browser's storage that this needs. */
export type TabStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>;

const prefix = 'cadastre:work:';

/** What this tab keeps until it is closed; undefined where the browser forbids it. */
export function tabStorage(): TabStorage | undefined {
  try {
    return sessionStorage;
  } catch {
    return undefined;
  }
}

/**
 * Keeps the work of a page (its path) in place of what was kept. Returns whether that succeeded: without storage, with
 * too much of it, and with secrets it does not, and nothing is kept.
 */
export function keepWork<T>(storage: TabStorage | undefined, page: string, stored: SavedWork<T>): boolean {
  const text = JSON.stringify(stored);
  dropWork(storage, page);
  if (storage === undefined || hasSecret(text)) return false;
  try {
    storage.setItem(prefix + page, text);
    return true;
  } catch {
    return false;
  }
}

/** The kept work of a page; nothing for another account than that which did it. */
export function findWork<T>(storage: TabStorage | undefined, page: string, account: string): SavedWork<T> | undefined {
  const text = storage?.getItem(prefix + page);
  if (!text) return undefined;
  const stored = JSON.parse(text) as SavedWork<T>;
  return stored.account === '' || account === '' || stored.account === account ? stored : undefined;
}

/** Forgets the work of a page: it is saved, or not wanted. */
export function dropWork(storage: TabStorage | undefined, page: string): void {
  storage?.removeItem(prefix + page);
}

/** Forgets the work of all pages: the user signs out. */
export function dropAllWork(storage: TabStorage | undefined): void {
  const keys = Array.from({ length: storage?.length ?? 0 }, (_, index) => storage!.key(index)!);
  for (const key of keys.filter((one) => one.startsWith(prefix))) storage!.removeItem(key);
}

/** Hashes of passwords stay out of the browser's storage. */
function hasSecret(text: string): boolean {
  return /\bMD5-PW\b/i.test(text);
}
