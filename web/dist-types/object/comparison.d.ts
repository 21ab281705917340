import type { Version } from '../api/versions.js';
/** The two compared versions; `from` is 0 when there is nothing before. */
export interface ComparedVersions {
    readonly from: number;
    readonly to: number;
}
/** The versions that an address compares (`from`, `to`); without them, the newest two. */
export declare function comparedVersions(query: URLSearchParams, versions: readonly Version[]): ComparedVersions;
/** The parameters of an address that compares two versions. */
export declare function comparisonParameters({ from, to }: ComparedVersions): Record<string, string>;
/**
 * Two versions that show the same, apart from the time of the change, may differ in what versions leave out. Returns the
 * names of these attributes; undefined when the versions show a difference.
 */
export declare function hiddenAttributes(type: string, before: string, after: string): string[] | undefined;
