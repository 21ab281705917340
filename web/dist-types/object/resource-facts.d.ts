import { type ObjectName } from '../paths.js';
/** Whether objects of a type represent addresses or an AS number and so have a responsible holder. */
export declare function isNumberResource(type: string): boolean;
/** The abuse contact of a resource. */
export declare function AbuseContact({ name }: {
    readonly name: ObjectName;
}): import("preact").JSX.Element;
/** The location of addresses. */
export declare function Location({ name }: {
    readonly name: ObjectName;
}): import("preact").JSX.Element;
