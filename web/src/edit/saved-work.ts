/** Unsaved work on one page, as this tab stores it. */
export interface SavedWork<T> {
  /** When it was stored (ISO 8601). */
  readonly saved: string;
  /** The account that did it; empty without a session. */
  readonly account: string;
  /** Whether the user left in order to sign in and return: then the page restores it without a question. */
  readonly resumes: boolean;
  readonly work: T;
}

/** The methods of a browser's storage that this needs. */
export type TabStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>;

const prefix = 'cadastre:work:';

/** The storage of this tab until it is closed; undefined if the browser forbids it. */
export function tabStorage(): TabStorage | undefined {
  try {
    return sessionStorage;
  } catch {
    return undefined;
  }
}

/**
 * Stores the work of a page (its path), replacing what was stored. Returns whether that succeeded: without storage,
 * with too much work, and with secrets it does not, and nothing is stored.
 */
export function storeWork<T>(storage: TabStorage | undefined, page: string, stored: SavedWork<T>): boolean {
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

/** The stored work of a page; undefined for another account. */
export function findWork<T>(storage: TabStorage | undefined, page: string, account: string): SavedWork<T> | undefined {
  const text = storage?.getItem(prefix + page);
  if (!text) return undefined;
  const stored = JSON.parse(text) as SavedWork<T>;
  return stored.account === '' || account === '' || stored.account === account ? stored : undefined;
}

/** Drops the work of a page: it is saved or discarded. */
export function dropWork(storage: TabStorage | undefined, page: string): void {
  storage?.removeItem(prefix + page);
}

/** Drops the work of all pages: the user signs out. */
export function dropAllWork(storage: TabStorage | undefined): void {
  const keys = Array.from({ length: storage?.length ?? 0 }, (_, index) => storage!.key(index)!);
  for (const key of keys.filter((name) => name.startsWith(prefix))) storage!.removeItem(key);
}

/** The browser's storage must not contain hashes of passwords. */
function hasSecret(text: string): boolean {
  return /\bMD5-PW\b/i.test(text);
}
