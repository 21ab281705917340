import type { Written } from './draft.js';
import { type Stretch } from './merge.js';
interface ThreeWayProps {
    readonly type: string;
    readonly stretches: readonly Stretch[];
    readonly take: (merged: Written[]) => void;
}
/** Two changes of the same object, attribute by attribute: what was stored before, theirs, yours, and what results. */
export declare function ThreeWay({ type, stretches, take }: ThreeWayProps): import("preact").JSX.Element;
export {};
