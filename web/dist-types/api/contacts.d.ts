import { type ObjectName } from '../paths.js';
/** Whom to write to about abuse. */
export interface AbuseContact {
    readonly key: string;
    readonly email: string;
    /** The address did not answer when the registry tried it. */
    readonly suspect: boolean;
}
/** Something that is said about where a resource is used, and the object that says it. */
export interface GeoStatement {
    readonly value: string;
    readonly holder?: ObjectName;
}
/** Where a resource is said to be used. */
export interface Geolocation {
    readonly location?: GeoStatement;
    readonly languages: readonly GeoStatement[];
    readonly geofeed?: GeoStatement;
}
/** The abuse contact of a resource; `undefined` when there is none. Throws a RequestFailed. */
export declare function findAbuseContact(resource: string, signal?: AbortSignal): Promise<AbuseContact | undefined>;
/** Where an address, a range or a prefix is said to be used; `undefined` when nobody says. Throws a RequestFailed. */
export declare function locate(resource: string, signal?: AbortSignal): Promise<Geolocation | undefined>;
