import { type Past } from '../past/past.js';
import { type ObjectName } from '../paths.js';
import './object-page.css';
interface ObjectPageProps {
    readonly name: ObjectName;
    readonly view: string;
    /** The earlier state that the page shows; undefined for the present. */
    readonly past: Past | undefined;
    /** The parameters of the address, of which some belong to the view. */
    readonly query: URLSearchParams;
}
/** One object: its attributes, its address tree, its history and its referrers; now, or in the past. */
export declare function ObjectPage({ name, view, past, query }: ObjectPageProps): import("preact").JSX.Element;
export {};
