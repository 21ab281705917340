/** What a URL in the search box means: a page of these pages, or the host that it names. */
export type UrlMeaning = {
    readonly page: string;
} | {
    readonly host: string;
};
/**
 * Reads a URL: an address of these pages, of the REST interface, of the query pages of the RIPE Database, or of anything
 * else, of which only the host counts. Undefined for texts that are no URLs.
 */
export declare function readUrl(written: string): UrlMeaning | undefined;
