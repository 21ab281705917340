import { type ObjectName } from '../paths.js';
import './object-page.css';
/** One object: its attributes, what is around it, what it was, and what refers to it. */
export declare function ObjectPage({ name, view }: {
    readonly name: ObjectName;
    readonly view: string;
}): import("preact").JSX.Element;
