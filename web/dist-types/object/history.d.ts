import { type ObjectName } from '../paths.js';
import './history.css';
interface HistoryProps {
    readonly name: ObjectName;
    /** The parameters of the address, which may name two versions. */
    readonly query: URLSearchParams;
}
/** The versions of an object, and the difference of any two. */
export declare function History({ name, query }: HistoryProps): import("preact").JSX.Element;
export {};
