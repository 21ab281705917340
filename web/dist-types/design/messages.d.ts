import type { Message } from '../api/message.js';
import './messages.css';
/** Messages of the registry, with their line breaks. */
export declare function Messages({ messages }: {
    readonly messages: readonly Message[];
}): import("preact").JSX.Element | null;
