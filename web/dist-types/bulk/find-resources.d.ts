import { type SpecialSpace } from './special-space.js';
/** A resource in a text: an address, a prefix or an AS number. */
export interface FoundResource {
    /** In its usual spelling; a prefix without host bits. */
    readonly text: string;
    /** How often the text has it. */
    readonly count: number;
    /** Sorts as a text: IPv4, IPv6, AS numbers, each by number, larger prefixes first. */
    readonly order: string;
    /** What it is reserved for, if anything. */
    readonly special: SpecialSpace | undefined;
}
/** The resources of a text. */
export interface FoundResources {
    /** Each once, in the order of the text. */
    readonly resources: readonly FoundResource[];
    /** Different resources beyond the maximum were left out. */
    readonly isCut: boolean;
}
/** Finds resources in a text that comes in pieces. */
export interface ResourceScanner {
    add(piece: string): void;
    end(): FoundResources;
}
/** Makes a scanner of log lines, lists, mails and the like, which may write "192[.]0[.]2[.]1". */
export declare function createScanner(most?: number): ResourceScanner;
/** The resources of a whole text. */
export declare function findResources(text: string, most?: number): FoundResources;
