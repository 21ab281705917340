import type { ShownObject } from '../api/objects.js';
import type { Moment } from '../past/past.js';
import './object-view.css';
interface ObjectViewProps {
    readonly object: ShownObject;
    /** The moment of the past to which its links lead; undefined for now. */
    readonly moment: Moment | undefined;
}
/** The attributes of an object, with a link on every reference. Folds what is beyond the first lines of an attribute. */
export declare function ObjectView({ object, moment }: ObjectViewProps): import("preact").JSX.Element;
export {};
