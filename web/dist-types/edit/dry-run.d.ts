import type { SubmittedAttribute } from '@cadastre/client';
import type { WriteAnswer } from '../api/objects.js';
import { type Destination } from './write.js';
/** The result of a dry run so far. */
export type Trial<A = WriteAnswer> = {
    readonly state: 'idle';
} | {
    readonly state: 'checking';
    readonly last?: A;
} | {
    readonly state: 'checked';
    readonly last: A;
}
/** `retry` repeats it at once, where it repeats by itself. */
 | {
    readonly state: 'failed';
    readonly error: unknown;
    readonly retry?: () => void;
};
/** Performs dry runs of an object, its stored state (`tag`) and who asks (`account`). Without attributes there is none. */
export declare function useDryRun(to: Destination, attributes: readonly SubmittedAttribute[], tag: string, account: string): Trial;
/**
 * Performs a dry run whenever what it asks has not changed for half a second; an empty question is none. After a failure
 * that may pass it asks again, with growing pauses, and as soon as the network is back.
 */
export declare function useTrial<A>(question: string, perform: (signal: AbortSignal) => Promise<A>): Trial<A>;
