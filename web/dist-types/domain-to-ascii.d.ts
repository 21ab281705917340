/** Stands in for `node:url` in the browser, which has punycode in its URL parser (libs/rpsl uses nothing else of it). */
export declare function domainToASCII(domain: string): string;
