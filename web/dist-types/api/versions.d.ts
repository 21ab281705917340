import type { ObjectName } from '../paths.js';
/** One state of an object, or its deletion. */
export interface Version {
    readonly revision: number;
    /** As the registry writes it. */
    readonly date: string;
    readonly deleted: boolean;
    /** Of a deletion; empty without one. */
    readonly reason: string;
}
/** All versions of an object, newest first; deletions have no content. Throws a RequestFailed. */
export declare function listVersions(name: ObjectName, signal?: AbortSignal): Promise<Version[]>;
/** The text (RPSL) of one version, without what the public may not see. Throws a RequestFailed. */
export declare function versionText(name: ObjectName, revision: number, signal?: AbortSignal): Promise<string>;
