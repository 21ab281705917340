import { type ObjectName } from '../paths.js';
import { type Message, type SentMessage } from './message.js';
/** One value of an object. */
export interface ShownAttribute {
    readonly name: string;
    readonly value: string;
    readonly comment?: string;
    /** The object that it refers to. */
    readonly target?: ObjectName;
}
/** An object as answers show it. */
export interface ShownObject {
    readonly name: ObjectName;
    readonly attributes: readonly ShownAttribute[];
    readonly tags: readonly {
        readonly id: string;
        readonly data?: string;
    }[];
    /** Who holds the resource, and whom to write to about abuse; only when a search asked for them. */
    readonly holder?: {
        readonly key: string;
        readonly name: string;
    };
    readonly abuseContact?: {
        readonly key: string;
        readonly email: string;
        readonly suspect: boolean;
    };
}
/** What a search or a write answers. */
export interface SentResources {
    readonly objects?: {
        readonly object: readonly SentObject[];
    };
    readonly errormessages?: {
        readonly errormessage: readonly SentMessage[];
    };
}
interface SentObject {
    readonly type: string;
    readonly link: {
        readonly href: string;
    };
    readonly source: {
        readonly id: string;
    };
    readonly 'primary-key': {
        readonly attribute: readonly {
            name: string;
            value: string;
        }[];
    };
    readonly attributes: {
        readonly attribute: readonly SentAttribute[];
    };
    readonly tags?: {
        readonly tag: readonly {
            id: string;
            data?: string;
        }[];
    };
    readonly 'resource-holder'?: ShownObject['holder'];
    readonly 'abuse-contact'?: ShownObject['abuseContact'];
}
interface SentAttribute {
    readonly name: string;
    readonly value: string;
    readonly comment?: string;
    readonly link?: {
        readonly href: string;
    };
}
/** An attribute of an object that is sent. */
export interface SubmittedAttribute {
    readonly name: string;
    /** With its comment; lines after the first continue it. */
    readonly value: string;
}
/** What came of a write, or would have come of it: a refusal is an answer too. */
export interface WriteAnswer {
    readonly status: number;
    readonly messages: readonly Message[];
    /** As stored, or as it would be. */
    readonly object?: ShownObject;
}
export declare const restPath: (name: ObjectName) => string;
/** One object, as the caller may see it. Throws a RequestFailed (404 when it does not exist). */
export declare function lookUp(name: ObjectName, signal?: AbortSignal): Promise<ShownObject>;
/** The text of one object (RPSL) with its layout, as the caller may see it. Throws a RequestFailed. */
export declare function lookUpText(name: ObjectName, signal?: AbortSignal): Promise<string>;
/** Creates an object; a dry run stores nothing. Throws a RequestFailed only when there is no answer about the object. */
export declare function create(source: string, type: string, attributes: readonly SubmittedAttribute[], dryRun: boolean): Promise<WriteAnswer>;
/** Replaces an object; as `create`. */
export declare function update(name: ObjectName, attributes: readonly SubmittedAttribute[], dryRun: boolean): Promise<WriteAnswer>;
/** Creates a mntner together with the person or role that it needs; as `create`. */
export declare function createPair(source: string, objects: readonly (readonly SubmittedAttribute[])[], dryRun: boolean): Promise<WriteAnswer>;
/** Deletes an object; as `create`. */
export declare function remove(name: ObjectName, reason: string, dryRun: boolean): Promise<WriteAnswer>;
export declare function readMessages({ errormessages }: SentResources): Message[];
export declare function readObjects({ objects }: SentResources): ShownObject[];
export {};
