import { type Attempt } from '../design/attempt.js';
import { type Answer } from './write.js';
/** Saves the object of a form, once, also when answers are lost. */
export interface Saving extends Attempt {
    /** Names the creation of the object. A form keeps its key, also for other contents, until it has created one. */
    readonly key: string;
    readonly setKey: (key: string) => void;
    /** Whether an answer was lost and the write is repeated. */
    readonly isRepeating: boolean;
    /** Runs a write with the key, or with the tag of the stored state, and repeats it when its answer is lost. */
    readonly once: <A extends Answer>(perform: (signal: AbortSignal) => Promise<A>) => Promise<A>;
}
export declare function useSaving(): Saving;
/** Why saving failed, or that it goes on although there was no answer. */
export declare function SavingState({ saving }: {
    readonly saving: Saving;
}): import("preact").JSX.Element;
