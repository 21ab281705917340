import type { Resource } from '@cadastre/rpsl';
import type { ShownObject } from '../api/objects.js';
import { type ObjectName } from '../paths.js';
/** What a search says about an address, a range or an AS number, in short. */
export interface Answer {
    /** The network or aut-num; undefined when only a route, or nothing but the whole address space, is registered. */
    readonly registered: ShownObject | undefined;
    /** Its netname or as-name. */
    readonly title: string;
    /** The organisation; without one the first description. */
    readonly holder: {
        readonly text: string;
        readonly name?: ObjectName;
    } | undefined;
    readonly abuse: {
        readonly email: string;
        readonly role: ObjectName;
        readonly isSuspect: boolean;
    } | undefined;
    /** Codes of countries (ISO 3166): those of the network, or else that of its organisation. */
    readonly countries: readonly string[];
    readonly routes: readonly AnsweredRoute[];
    readonly contacts: readonly Contact[];
}
/** A route to the addresses. */
export interface AnsweredRoute {
    readonly name: ObjectName;
    readonly prefix: string;
    /** AS number. */
    readonly origin: string;
    /** How it conflicts with a ROA; empty when no conflict is known. */
    readonly conflict: string;
}
/** Who is responsible for the resource. */
export interface Contact {
    readonly key: string;
    /** Absent when the object does not exist. */
    readonly name?: ObjectName;
    /** Of the person or role; empty when the result does not show it. */
    readonly title: string;
    /** The attributes that name it. */
    readonly as: readonly string[];
}
/** Puts together what the found objects say; undefined when they say nothing. */
export declare function answerOf(resource: Resource, objects: readonly ShownObject[]): Answer | undefined;
/** The objects with those first that answer a question about an AS number. */
export declare function answersFirst(resource: Resource | undefined, objects: readonly ShownObject[]): readonly ShownObject[];
