import type { ResourceDescription } from '@cadastre/client';
import type { Message } from '../api/message.js';
import type { FoundResource, FoundResources } from './find-resources.js';
/** A found resource and what the registry knows about it. */
export interface BulkRow extends FoundResource {
    /** Absent before the registry has answered, and for local space, which nobody asks for. */
    readonly answer?: ResourceDescription;
}
/** How a lookup goes. */
export interface BulkState {
    readonly phase: 'empty' | 'running' | 'waiting' | 'stopped' | 'failed' | 'done';
    readonly rows: readonly BulkRow[];
    /** Whether resources beyond the maximum were left out. */
    readonly isCut: boolean;
    /** Resources that the registry is asked for, and those that it has answered. */
    readonly asked: number;
    readonly answered: number;
    /** Seconds until it goes on, because the client has used up its limit. */
    readonly waitSeconds: number;
    /** Why it failed. */
    readonly messages: readonly Message[];
}
/** Looks up some resources: yields their descriptions in order. Throws a RequestFailed. */
export type AskResources = (resources: readonly string[], signal: AbortSignal) => AsyncIterable<readonly ResourceDescription[]>;
/** A lookup of many resources, which goes on while the user visits other pages. */
export interface BulkLookup {
    state(): BulkState;
    /** Calls back after each change, until the returned function is called. */
    subscribe(changed: () => void): () => void;
    /** Forgets the last lookup and starts another one. */
    start(found: FoundResources): Promise<void>;
    stop(): void;
    /** Asks for what has no answer, or an error as answer. */
    goOn(): Promise<void>;
    clear(): void;
}
interface BulkOptions {
    readonly ask: AskResources;
    /** Waits; ends early when the signal is aborted. */
    readonly pause: (seconds: number, signal: AbortSignal) => Promise<void>;
    /** Resources of one call of `ask`. */
    readonly size: number;
}
/** Makes a lookup that has not started. */
export declare function createBulkLookup({ ask, pause, size }: BulkOptions): BulkLookup;
/** Whether the registry can know about a resource. */
export declare function isAsked({ special }: FoundResource): boolean;
export {};
