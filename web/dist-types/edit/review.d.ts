import type { Message } from '../api/message.js';
import type { ShownObject } from '../api/objects.js';
import type { ObjectName } from '../paths.js';
import type { Trial } from './dry-run.js';
import type { Answer } from './write.js';
interface ReviewProps {
    readonly trial: Trial;
    /** The current object; empty for a new one. */
    readonly before: string;
    /** Messages without a row. */
    readonly rest: readonly Message[];
    readonly source: string;
    readonly maintainers: readonly ObjectName[];
}
/** The effect of a write: the registry's messages about the object as a whole, and the difference. */
export declare function Review({ trial, before, rest, source, maintainers }: ReviewProps): import("preact").JSX.Element;
/** Why the registry could not try it. */
export declare function Unchecked({ trial }: {
    readonly trial: Extract<Trial<unknown>, {
        state: 'failed';
    }>;
}): import("preact").JSX.Element;
interface VerdictProps<A> {
    readonly trial: Exclude<Trial<A>, {
        state: 'idle' | 'failed';
    }>;
    readonly words: (last: A) => string;
}
/** Whether what was tried can be saved, in few words. */
export declare function Verdict<A extends Answer>({ trial, words: wordsOf }: VerdictProps<A>): import("preact").JSX.Element;
/** Removes the dry-run message, which is obvious here. */
export declare function isDryRunNotice({ severity, text }: Message): boolean;
/** Whether the registry would store it. */
export declare function isAccepted({ status }: Answer): boolean;
/** The text (RPSL) of an object as a write shows it. */
export declare function textOfShown({ attributes }: ShownObject): string;
export {};
