import { dropWork, findWork, keepWork, type TabStorage, tabStorage } from '../edit/saved-work.js';
import { type ObjectName, paths } from '../paths.js';
import { navigate } from '../router.js';
import { namesText } from './named-objects.js';

/**
 * Opens the page that edits many objects with these objects: for buttons of pages that list objects. The page requests
 * the user to remove some when one transaction cannot change as many.
 */
export function editTogether(names: readonly ObjectName[]): void {
  keepSelection(tabStorage(), names);
  navigate(paths.editMany);
}

/** Maximum names of a page of any size in the storage. */
const maxNames = 1000;
const page = `${paths.editMany}:selection`;

/** Stores a selection, replacing the one before. Returns whether that succeeded. */
export function keepSelection(storage: TabStorage | undefined, names: readonly ObjectName[]): boolean {
  const work = namesText(names.slice(0, maxNames));
  return keepWork(storage, page, { saved: new Date().toISOString(), account: '', resumes: true, work });
}

/** The names of the selected objects, in the form of `readNames`; empty without a selection. */
export function findSelection(storage: TabStorage | undefined): string {
  return findWork<string>(storage, page, '')?.work ?? '';
}

/** Drops the selection: its objects are changed. */
export function dropSelection(storage: TabStorage | undefined): void {
  dropWork(storage, page);
}
