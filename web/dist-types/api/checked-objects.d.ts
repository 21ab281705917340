import type { ObjectName } from '../paths.js';
import { type Message } from './message.js';
import { type ShownObject } from './objects.js';
/** An object with its abuse contact; a route with what ROAs say of it. */
export interface CheckedObject {
    readonly object: ShownObject;
    readonly conflicts: readonly Message[];
    /** Whether no ROA covers it; false while that is not known. */
    readonly lacksRoa: boolean;
}
/** Some objects of a mntner. */
export interface CheckedPage {
    readonly objects: readonly CheckedObject[];
    /** Where the next page begins; empty after the last one. */
    readonly next: string;
}
/** Reads a page of what a mntner maintains. Throws a RequestFailed. */
export declare function checkObjects({ source, key }: ObjectName, types: readonly string[], cursor: string, signal?: AbortSignal): Promise<CheckedPage>;
