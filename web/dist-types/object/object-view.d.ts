import type { ShownObject } from '../api/objects.js';
import './object-view.css';
/** The attributes of an object, with a link on every reference. */
export declare function ObjectView({ object }: {
    readonly object: ShownObject;
}): import("preact").JSX.Element;
