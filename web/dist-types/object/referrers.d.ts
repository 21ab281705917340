import type { Moment } from '../past/past.js';
import type { ObjectName } from '../paths.js';
import type { RowChoice } from './object-rows.js';
import './referrers.css';
interface ReferrersProps {
    readonly name: ObjectName;
    /** The moment of the past that it shows; undefined for now. */
    readonly moment?: Moment | undefined;
    /** Only these attributes; default: all that can be searched. */
    readonly by?: readonly string[];
    readonly choice: RowChoice;
    readonly choose: (choice: RowChoice) => void;
    /** The element of its heading. */
    readonly heading?: 'h2' | 'h4';
}
/** The objects that refer to an object: how many of each type, and a table. */
export declare function Referrers({ name, by, moment, ...rest }: ReferrersProps): import("preact").JSX.Element;
export {};
