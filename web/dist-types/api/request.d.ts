import { type Message } from './message.js';
/** An answer that is no success, or no answer at all (status 0). */
export declare class RequestFailed extends Error {
    readonly status: number;
    readonly messages: readonly Message[];
    /** The body, when it was JSON. */
    readonly body?: unknown | undefined;
    readonly name = "RequestFailed";
    constructor(status: number, messages: readonly Message[], 
    /** The body, when it was JSON. */
    body?: unknown | undefined);
}
export interface RequestOptions {
    readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
    /** Sent as JSON. */
    readonly body?: unknown;
    readonly signal?: AbortSignal | undefined;
    readonly headers?: Readonly<Record<string, string>>;
}
/** The JSON that a path answers. Throws a RequestFailed. */
export declare function requestJson<T>(path: string, options?: RequestOptions): Promise<T>;
/** The text that a path answers. Throws a RequestFailed. */
export declare function requestText(path: string, options?: RequestOptions): Promise<string>;
