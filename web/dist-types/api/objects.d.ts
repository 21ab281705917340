import type { ObjectType, SubmittedAttribute, WhoisResources } from '@cadastre/client';
import type { Past } from '../past/past.js';
import { type ObjectName } from '../paths.js';
import { type Message } from './message.js';
import { answerOf } from './registry.js';
/** One value of an object. */
export interface ShownAttribute {
    readonly name: string;
    readonly value: string;
    readonly comment?: string;
    /** The object that it refers to. */
    readonly target?: ObjectName;
}
/** An object as in responses. */
export interface ShownObject {
    readonly name: ObjectName;
    readonly attributes: readonly ShownAttribute[];
    readonly tags: readonly {
        readonly id: string;
        readonly data?: string;
    }[];
    /** Its number; only of versions, and of objects of the past. */
    readonly version?: number;
    /** Holder and abuse contact of the resource; only when the search requested them. */
    readonly holder?: {
        readonly key: string;
        readonly name: string;
    };
    readonly abuseContact?: {
        readonly key: string;
        readonly email: string;
        readonly suspect: boolean;
    };
    /** Warnings about the object; only when the search requested them. */
    readonly messages?: readonly Message[];
}
/** The result of a write or dry run, which may be a refusal. Values are as written. */
export interface WriteAnswer {
    readonly status: number;
    readonly messages: readonly Message[];
    /** The state that was stored or would be. */
    readonly object?: ShownObject;
}
/** The parameters of a name in the paths of the REST interface. */
export declare function pathOf({ source, type, key }: ObjectName): {
    source: string;
    objectType: ObjectType;
    key: string;
};
/** Gets one object, as far as the caller may see it. Throws a RequestFailed (404 when it does not exist). */
export declare function lookUp(name: ObjectName, signal?: AbortSignal): Promise<ShownObject>;
/** Gets an object as it was. Throws a RequestFailed: 404 when it did not exist, 410 when that is forgotten. */
export declare function lookUpPast(name: ObjectName, past: Past, signal?: AbortSignal): Promise<ShownObject>;
/** The text of an object (RPSL), and the tag of its state, with which a write refuses to change another state. */
export interface TaggedText {
    readonly text: string;
    readonly tag: string;
}
/** Gets the text of one object with its layout, as far as the caller may see it. Throws a RequestFailed. */
export declare function lookUpText(name: ObjectName, signal?: AbortSignal): Promise<TaggedText>;
/**
 * Gets one object in a format of the REST interface, as far as the caller may see it, or as the public saw it. Throws a
 * RequestFailed.
 */
export declare function lookUpAs(name: ObjectName, past: Past | undefined, mediaType: string): Promise<string>;
/** Options of a call that needs the unparsed body. */
export declare function asText(mediaType: string): {
    readonly headers: {
        readonly accept: string;
    };
    readonly parseAs: "text";
};
/** Options of a call that can be cancelled. */
export declare function optional(signal: AbortSignal | undefined): {
    signal: AbortSignal;
} | {
    signal?: undefined;
};
/** How to write. */
export interface WriteOptions {
    /** Stores nothing. */
    readonly dryRun: boolean;
    /** The state that the write may change or delete: with another one the registry refuses it (412). */
    readonly tag?: string;
    /** Names a creation: the registry performs it once, and repeats the first answer (`Idempotency-Key`). */
    readonly key?: string;
    readonly signal?: AbortSignal;
}
/** Creates an object. Throws a RequestFailed only without a response about the object. */
export declare function create(source: string, type: string, attributes: readonly SubmittedAttribute[], options: WriteOptions): Promise<WriteAnswer>;
/** Replaces an object; otherwise like `create`. */
export declare function update(name: ObjectName, attributes: readonly SubmittedAttribute[], options: WriteOptions): Promise<WriteAnswer>;
/** Creates a mntner together with the person or role that it needs; otherwise like `create`. */
export declare function createPair(source: string, objects: readonly (readonly SubmittedAttribute[])[], options: WriteOptions): Promise<WriteAnswer>;
/** Deletes an object; otherwise like `create`. */
export declare function remove(name: ObjectName, reason: string, options: WriteOptions): Promise<WriteAnswer>;
/** The headers of a write. */
export declare function sending({ tag, key, signal }: WriteOptions): {
    signal: AbortSignal;
    headers: {
        'idempotency-key'?: string | undefined;
        'if-match'?: string | undefined;
    };
} | {
    signal?: undefined;
    headers: {
        'idempotency-key'?: string | undefined;
        'if-match'?: string | undefined;
    };
};
/** The query of a write. */
export declare function writeQuery({ dryRun }: WriteOptions): {
    'dry-run': boolean;
    unformatted: boolean;
};
type WriteCall = Parameters<typeof answerOf<WhoisResources>>[0];
/** The response to a write, which may be a refusal. Throws a RequestFailed only without a response about its objects. */
export declare function writtenDocument(call: WriteCall): Promise<{
    readonly status: number;
    readonly messages: readonly Message[];
    readonly document: WhoisResources;
}>;
export declare function readMessages({ errormessages }: WhoisResources): Message[];
export declare function readObjects({ objects }: WhoisResources): ShownObject[];
export {};
