/** Stands in for `node:url` in the browser, which has punycode in its URL parser (libs/rpsl uses nothing else of it). */
export function domainToASCII(domain: string): string {
  try {
    return new URL(`http://${domain}`).hostname;
  } catch {
    return '';
  }
}
