import { type ComponentChildren } from 'preact';
import { type OwnMaintainer } from '../api/maintainers.js';
import { type Loaded } from '../design/load.js';
/** Fetches the maintainers of the signed-in account for all components; none without a session. */
export declare function OwnMaintainersProvider({ children }: {
    readonly children: ComponentChildren;
}): import("preact").JSX.Element;
/** The maintainers of the signed-in account. */
export declare function useOwnMaintainers(): Loaded<OwnMaintainer[]>;
