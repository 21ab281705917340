import type { AbuseContact } from '@cadastre/client';
import { type ObjectName } from '../paths.js';
/** A statement about the location of a resource, and the object that makes it. */
export interface GeoStatement {
    readonly value: string;
    readonly holder?: ObjectName;
}
/** The location of a resource. */
export interface Geolocation {
    readonly location?: GeoStatement;
    readonly languages: readonly GeoStatement[];
    readonly geofeed?: GeoStatement;
}
/** The abuse contact of a resource; `undefined` when there is none. Throws a RequestFailed. */
export declare function findAbuseContact(resource: string, signal?: AbortSignal): Promise<AbuseContact | undefined>;
/** The location of an address, a range or a prefix; `undefined` when there is none. Throws a RequestFailed. */
export declare function locate(resource: string, signal?: AbortSignal): Promise<Geolocation | undefined>;
