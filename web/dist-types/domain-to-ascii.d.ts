/** Replaces `node:url` in the browser, whose URL parser has punycode (libs/rpsl uses nothing else of it). */
export declare function domainToASCII(domain: string): string;
