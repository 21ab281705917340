/** All attributes by which an inverse query finds objects, in alphabetical order. */
export declare const inverseAttributes: readonly string[];
/** The attributes by which other objects refer to an object of a type. */
export declare function referringAttributes(type: string): string[];
/** Those by which one can search the past: references that versions show. */
export declare function referringAttributesOfThePast(type: string): string[];
