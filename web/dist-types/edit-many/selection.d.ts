import { type TabStorage } from '../edit/kept-work.js';
import { type ObjectName } from '../paths.js';
/**
 * Opens the page that edits many objects with these objects: for buttons of pages that list objects. The page asks the
 * user to take some away when one transaction cannot change so many.
 */
export declare function editTogether(names: readonly ObjectName[]): void;
/** Keeps a selection in place of the one before. Returns whether that succeeded. */
export declare function keepSelection(storage: TabStorage | undefined, names: readonly ObjectName[]): boolean;
/** The names of the selected objects, as `readNames` reads them; empty without a selection. */
export declare function findSelection(storage: TabStorage | undefined): string;
/** Forgets the selection: its objects are changed. */
export declare function dropSelection(storage: TabStorage | undefined): void;
