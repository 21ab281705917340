import type { Message } from '../api/message.js';
import { type Row } from './draft.js';
/** Messages by row, and the rest. */
export interface PlacedMessages {
    readonly byRow: ReadonlyMap<number, readonly Message[]>;
    readonly rest: readonly Message[];
}
/** Assigns messages to the rows of a draft: by name and value, or by name if only one row has it. */
export declare function placeMessages(messages: readonly Message[], rows: readonly Row[]): PlacedMessages;
