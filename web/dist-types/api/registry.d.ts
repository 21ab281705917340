import { type Message } from './message.js';
/** A client of the registry that serves these pages. */
export declare const registry: import("@cadastre/client").RegistryClient;
/** An unsuccessful response, or no response (status 0). */
export declare class RequestFailed extends Error {
    readonly status: number;
    readonly messages: readonly Message[];
    readonly name = "RequestFailed";
    readonly document: unknown;
    readonly retryAfterSeconds: number;
    constructor(status: number, messages: readonly Message[], 
    /** The document in the response, if any, and the pause that it asks for. */
    { document, retryAfterSeconds }?: {
        readonly document?: unknown;
        readonly retryAfterSeconds?: number;
    });
}
/** Converts any thrown value to messages for display. */
export declare function messagesOf(error: unknown): readonly Message[];
/** Whether an error says that the object does not exist. */
export declare function isNotFound(error: unknown): boolean;
interface Settled<T> {
    readonly data?: T;
    readonly error?: unknown;
    readonly response: Response;
}
/** The result of a call of the registry. Throws a RequestFailed when it failed. */
export declare function answerOf<T>(call: Promise<Settled<T>>): Promise<T>;
/** The result of a call, with the headers of its response. Throws a RequestFailed when it failed. */
export declare function wholeAnswerOf<T>(call: Promise<Settled<T>>): Promise<{
    data: T;
    headers: Headers;
}>;
/** Dispatched on the window when the registry reports that the session has ended. */
export declare const sessionEnded = "cadastre:session-ended";
/** Dispatched on the window when a write is refused (401): for lack of authority, or because the session has ended. */
export declare const sessionDoubtful = "cadastre:session-doubtful";
/** Sends a request; retries a safe one once when there was no response: phones and laptops change networks. */
export declare function reached(request: Request, isFirst?: boolean): Promise<Response>;
export {};
