import type { Followed } from '@cadastre/nrtm';

/**
 * The state of a follower of a publisher, without the hashes of files. Stored as JSON: a release must read the state of
 * the previous one.
 */
export interface Nrtm4State extends Omit<Followed, 'known'> {
  /** The highest version of the last notification: higher than that of the copy when an update aborted. */
  readonly notifiedVersion: number;
  /** Of the last notification, ISO 8601. */
  readonly timestamp: string;
  /** The key (PEM) of the configuration when this was written. */
  readonly configuredKey: string;
  /** The key of the last signature; earlier ones are invalid. */
  readonly key: string;
  /** The key that the publisher has announced. */
  readonly nextKey?: string;
  /** SHA-256 of the signed notification. */
  readonly signedHash: string;
  /** Its ETag. */
  readonly tag?: string;
}
