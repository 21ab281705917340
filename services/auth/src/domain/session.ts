/** A session of the web application, as it is stored. */
export interface SessionRecord {
  accountId: string;
  accountName: string;
  created: Date;
  /** When it ends, however much it is used. */
  expires: Date;
  /** To the minute. */
  lastUsed: Date;
}

/** When a session ends if it is not used until then. */
export function idleExpiry({ expires, lastUsed }: SessionRecord, idleMs: number): Date {
  return new Date(Math.min(expires.getTime(), lastUsed.getTime() + idleMs));
}

/** Whether a session goes on. */
export function lasts(session: SessionRecord, idleMs: number, now: Date): boolean {
  return idleExpiry(session, idleMs) > now;
}
