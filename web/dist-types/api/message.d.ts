/** Something that the registry says about a request or about one attribute of an object. */
export interface Message {
    readonly severity: 'Error' | 'Warning' | 'Info';
    /** With its arguments filled in. */
    readonly text: string;
    /** The attribute that it is about. */
    readonly attribute?: {
        readonly name: string;
        readonly value: string;
    };
}
/** A message as answers hold it: template and arguments apart. */
export interface SentMessage {
    readonly severity: Message['severity'];
    readonly text: string;
    readonly args?: readonly {
        readonly value: string;
    }[];
    readonly attribute?: {
        readonly name: string;
        readonly value: string;
    };
}
/** A message to be shown. */
export declare function readMessage({ severity, text, args, attribute }: SentMessage): Message;
