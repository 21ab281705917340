import { type Message as SentMessage } from '@cadastre/client';
/** A message of the registry about a request or about one attribute of an object. */
export interface Message {
    readonly severity: 'Error' | 'Warning' | 'Info';
    /** With its arguments filled in. */
    readonly text: string;
    /** For a refusal for missing authority: the maintainers who could authorise. */
    readonly maintainers?: readonly string[];
    /** What would be right. */
    readonly hint?: string;
    /** The attribute that it is about. */
    readonly attribute?: {
        readonly name: string;
        readonly value: string;
    };
}
/** Converts a message for display. */
export declare function readMessage(sent: SentMessage): Message;
