/** A search term as the registry knows it. */
export interface Term {
    readonly text: string;
    /** The address that was written, when the term is the prefix around it. */
    readonly inside?: string;
}
/**
 * Reads a term as people write it: with `[.]` and other marks that keep addresses from being links, in quotes or
 * brackets, with a port, AS numbers as `64500`, `AS 64500` and `AS1.10`, prefixes with host bits or a mask.
 */
export declare function readTerm(written: string): Term;
/** Undoes the marks that keep addresses, URLs and mailboxes from being links. */
export declare function refanged(text: string): string;
