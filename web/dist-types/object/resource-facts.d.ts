import { type ObjectName } from '../paths.js';
/** Whether objects of a type stand for addresses or an AS number, for which somebody answers. */
export declare function isNumberResource(type: string): boolean;
/** Whom to write to about abuse from a resource, and where it is said to be. */
export declare function ResourceFacts({ name }: {
    readonly name: ObjectName;
}): import("preact").JSX.Element;
