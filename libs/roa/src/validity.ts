import type { CoveringRoa } from './roa-index.js';

/** The announcement that a route object describes. */
export interface Announcement {
  readonly length: number;
  readonly origin: number;
}

/** A ROA that does not authorise an announcement, and why. */
export interface Conflict {
  readonly roa: CoveringRoa;
  readonly isTooLong: boolean;
  readonly isOtherOrigin: boolean;
}

/**
 * Route origin validation (RFC 6811): undefined when a covering ROA authorises the announcement ("valid") or none
 * covers it ("not found"); otherwise ("invalid") the conflict with the ROA whose prefix sorts first as text.
 */
export function conflictOf(announcement: Announcement, covering: readonly CoveringRoa[]): Conflict | undefined {
  let first: Conflict | undefined;
  for (const roa of covering) {
    const isTooLong = announcement.length > roa.maxLength;
    // AS 0 authorises no announcement, not even with origin AS 0 (RFC 6483, section 4).
    const isOtherOrigin = announcement.origin === 0 || announcement.origin !== roa.asn;
    if (!isTooLong && !isOtherOrigin) return undefined;
    if (first === undefined || roa.text < first.roa.text) first = { roa, isTooLong, isOtherOrigin };
  }
  return first;
}

/** The state of an announcement (RFC 6811). */
export type Validity = 'valid' | 'invalid' | 'not found';

/** The state of an announcement among all payloads that cover its prefix. */
export function validityOf(announcement: Announcement, covering: readonly CoveringRoa[]): Validity {
  if (covering.length === 0) return 'not found';
  return conflictOf(announcement, covering) === undefined ? 'valid' : 'invalid';
}
