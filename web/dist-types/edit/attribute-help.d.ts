import type { Message } from '../api/message.js';
/** The meaning of an attribute in objects of a type, and its possible values. */
export declare function attributeHelp(name: string, type: string): {
    meaning: string;
    value: string;
};
/** A value to choose. */
export interface Choice {
    readonly value: string;
    /** Empty where the browser does not know it. */
    readonly meaning: string;
}
/** All values that an attribute may have in objects of a type, if there are few; otherwise undefined. */
export declare function choicesOf(name: string, type: string): readonly Choice[] | undefined;
/** Adds to a message about a wrong value what would be right. */
export declare function withHint(message: Message, type: string): Message;
