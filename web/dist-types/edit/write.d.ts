import type { SubmittedAttribute } from '@cadastre/client';
import { type WriteAnswer, type WriteOptions } from '../api/objects.js';
import type { ObjectName } from '../paths.js';
/** The destination of a write: a new object of a type, or an existing object. */
export type Destination = {
    readonly source: string;
    readonly type: string;
} | ObjectName;
/** Writes an object or performs a dry run. Throws a RequestFailed without a response about the object. */
export declare function write(to: Destination, attributes: readonly SubmittedAttribute[], options: WriteOptions): Promise<WriteAnswer>;
/** What every answer to a write has. */
export type Answer = Pick<WriteAnswer, 'status' | 'messages'>;
/**
 * Repeats a write, with growing pauses, while its answer is lost or the registry cannot perform it. Only for a write
 * that the registry performs once: with a tag or a key. Calls `tell` before each pause (milliseconds), which `pause`
 * makes. Throws the last failure, with a message that the write may be repeated.
 */
export declare function writeOnce<A extends Answer>(perform: () => Promise<A>, tell: () => void, pause?: (ms: number) => Promise<void>): Promise<A>;
