import { dropWork, findWork, storeWork, type TabStorage, tabStorage } from '../edit/saved-work.js';
import { type ObjectName, paths } from '../paths.js';
import { goTo } from '../router.js';
import { namesText } from './named-objects.js';
import { maxTogether } from './transactions.js';

/** Opens the page that edits many objects with these objects: for buttons of pages that list objects. */
export function editTogether(names: readonly ObjectName[]): void {
  storeSelection(tabStorage(), names);
  goTo(paths.editMany);
}

const page = `${paths.editMany}:selection`;

/** Stores a selection, replacing the one before. */
export function storeSelection(storage: TabStorage | undefined, names: readonly ObjectName[]): void {
  const work = namesText(names.slice(0, maxTogether));
  storeWork(storage, page, { saved: new Date().toISOString(), account: '', resumes: true, work });
}

/** The names of the selected objects, in the form of `readNames`; empty without a selection. */
export function findSelection(storage: TabStorage | undefined): string {
  return findWork<string>(storage, page, '')?.work ?? '';
}

/** Drops the selection: its objects are changed. */
export function dropSelection(storage: TabStorage | undefined): void {
  dropWork(storage, page);
}
