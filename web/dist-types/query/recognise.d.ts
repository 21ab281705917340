/** What a search term looks like, in words; empty when it may be anything. */
export declare function recognise(text: string): string;
