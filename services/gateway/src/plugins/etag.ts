import { hash } from 'node:crypto';

/** The strong validator of a body (RFC 9110 section 8.8.3). All gateways compute the same for the same bytes. */
export function entityTag(body: Buffer): string {
  return `"${hash('sha1', body, 'base64url')}"`;
}

/** Whether the client has these bytes already, by its If-None-Match (RFC 9110 section 13.1.2). */
export function hasAlready(ifNoneMatch: string | undefined, tag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  return ifNoneMatch.trim() === '*' || (ifNoneMatch.match(/(?:W\/)?"[^"]*"/g) ?? []).some((sent) => sent.endsWith(tag));
}
