import type { SetExpansion } from '@cadastre/client';
import type { ObjectName } from '../paths.js';
/** How far to expand a set. */
export interface ExpansionOptions {
    /** Levels of sets below the first one; default: all. */
    readonly depth?: number;
    /** Adds the prefixes, with those of the routes of AS numbers. */
    readonly prefixes?: boolean;
}
/** Expands an as-set, route-set or rtr-set. Throws a RequestFailed. */
export declare function expandSet({ source, key }: Pick<ObjectName, 'source' | 'key'>, options: ExpansionOptions, signal?: AbortSignal): Promise<SetExpansion>;
