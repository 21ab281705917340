const roots: ReadonlySet<string> = new Set(['in-addr.arpa', 'ip6.arpa', 'e164.arpa']);

/** Whether a domain is the root of all delegations of addresses or telephone numbers; it has no range of its own. */
export function isDelegationRoot(domain: string): boolean {
  return roots.has(withoutTrailingDot(domain.toLowerCase()));
}

/** A DNS name without a trailing dot. Returns other texts unchanged. */
export function withoutTrailingDot(name: string): string {
  return /[^. ]\.$/.test(name) ? name.slice(0, -1) : name;
}
