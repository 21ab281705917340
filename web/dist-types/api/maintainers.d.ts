import type { ObjectName } from '../paths.js';
import type { Storage } from './storage.js';
/** A mntner for which the signed-in account may act. */
export interface OwnMaintainer extends ObjectName {
    /** What it has stored in all; undefined without a limit. */
    readonly storage: Storage | undefined;
}
/** The mntners for which the signed-in account may act. Throws a RequestFailed. */
export declare function listOwnMaintainers(signal?: AbortSignal): Promise<OwnMaintainer[]>;
