import { type ObjectName } from '../paths.js';
import './set-members.css';
/** What a set consists of: its members as a tree, and the AS numbers and prefixes behind them. */
export declare function SetMembers({ name }: {
    readonly name: ObjectName;
}): import("preact").JSX.Element;
