import { type OwnSpaceList, type Space } from '../api/space.js';
import { type Loaded } from '../design/load.js';
/** The outermost networks of the account, and how they are used. */
export declare function OwnSpace({ own }: {
    readonly own: Loaded<OwnSpaceList>;
}): import("preact").JSX.Element;
/** How much of a range is used, in one line. */
export declare function usageText({ range, used, objects, isPartial }: Space): string;
