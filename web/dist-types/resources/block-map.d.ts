import type { Space } from '../api/space.js';
import './block-map.css';
/** The parts of a range as cells that lead inside. Tab reaches the map once; the arrow keys move in it. */
export declare function BlockMap({ space }: {
    readonly space: Space;
}): import("preact").JSX.Element;
