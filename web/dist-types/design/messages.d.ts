import type { Message } from '../api/message.js';
import './messages.css';
/** What the registry says; lines as it wrote them. */
export declare function Messages({ messages }: {
    readonly messages: readonly Message[];
}): import("preact").JSX.Element | null;
