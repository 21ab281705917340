/** Replaces `node:url` in the browser, whose URL parser has punycode (libs/rpsl uses nothing else of it). */
export function domainToASCII(domain: string): string {
  try {
    return new URL(`http://${domain}`).hostname;
  } catch {
    return '';
  }
}
