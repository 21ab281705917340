import { keepWork, type TabStorage, tabStorage } from '../edit/kept-work.js';
import { namePath, type ObjectName, paths } from '../paths.js';
import { navigate } from '../router.js';

/** Most objects that the registry writes in one transaction. */
export const mostObjects = 100;

/** What the tab keeps of the page that edits many objects. */
export interface ManyWork {
  /** The paths of the objects, one on each line. */
  readonly names: string;
}

/**
 * Opens the page that edits many objects with these objects: for buttons of pages that list objects. More than
 * `mostObjects` are too many: the page asks the user to take some away.
 */
export function editTogether(names: readonly ObjectName[]): void {
  keepSelection(tabStorage(), names);
  navigate(paths.editMany);
}

/** Puts a selection in place of the one before. The page goes on with it without a question. */
export function keepSelection(storage: TabStorage | undefined, names: readonly ObjectName[]): boolean {
  const work: ManyWork = { names: namesText(names.slice(0, mostNames)) };
  return keepWork(storage, paths.editMany, { saved: new Date().toISOString(), account: '', resumes: true, work });
}

/** Bounds what a page of any size puts into the storage. */
const mostNames = 1000;

/** The names as text, one on each line, which `readNames` reads. */
function namesText(names: readonly ObjectName[]): string {
  return names.map((name) => `${namePath(name)}\n`).join('');
}
