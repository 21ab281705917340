import { type ObjectName } from '../paths.js';
import './referrers.css';
/** The objects that refer to an object, by type. */
export declare function Referrers({ name }: {
    readonly name: ObjectName;
}): import("preact").JSX.Element;
