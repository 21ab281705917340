import type { Message } from '../api/message.js';
import { type ObjectName } from '../paths.js';
/** Whether messages report missing authority. */
export declare function isRefusal({ maintainers }: Message): boolean;
interface RefusalProps {
    readonly messages: readonly Message[];
    readonly source: string;
    readonly maintainers: readonly ObjectName[];
}
/** Explains which maintainers could authorise, when the caller acts for none of them. */
export declare function Refusal({ messages, source, maintainers }: RefusalProps): import("preact").JSX.Element | null;
export {};
