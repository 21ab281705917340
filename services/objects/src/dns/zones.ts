/** The zones that a domain object delegates: itself, or the first and last of a range ("0-63.2.0.192.in-addr.arpa"). */
export function zonesOf(domain: string): string[] {
  const [, first, last, parent] = /^(\d+)-(\d+)(\..+)$/.exec(domain) ?? [];
  return parent === undefined ? [domain] : [...new Set([`${first}${parent}`, `${last}${parent}`])];
}
