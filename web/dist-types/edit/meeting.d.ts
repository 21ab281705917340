import type { TaggedText } from '../api/objects.js';
import { type Written } from './draft.js';
import { type Stretch } from './merge.js';
/** Two changes of the same stored object meet: what somebody else stored meanwhile, and what the user wrote. */
export interface Meeting {
    readonly theirs: TaggedText;
    readonly type: string;
    /** Their merge. */
    readonly stretches: readonly Stretch[];
}
/** Merges what the user wrote (`yours`) with a newer state of the object; undefined when one text is no object. */
export declare function meetingOf(stored: string, yours: string, theirs: TaggedText): Meeting | undefined;
/** The text (RPSL) of the object with merged attributes. */
export declare function textAfter({ type }: Meeting, merged: readonly Written[]): string;
/** Whether they stored everything that you changed, for example because an answer to you was lost. */
export declare function holdsYours({ stretches }: Meeting): boolean;
