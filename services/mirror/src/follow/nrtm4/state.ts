import type { Followed } from '@cadastre/nrtm';

/**
 * What a follower remembers of a publisher, besides the hashes of files. Stored as JSON: a release must read what the one
 * before has written.
 */
export interface Nrtm4State extends Omit<Followed, 'known'> {
  /** The highest version of the last notification: higher than ours when an update broke off. */
  readonly notifiedVersion: number;
  /** Of the last notification, ISO 8601. */
  readonly timestamp: string;
  /** The key (PEM) of the configuration when this was written. */
  readonly configuredKey: string;
  /** The key that made the last signature; those before it are dead. */
  readonly key: string;
  /** The key that the publisher has announced. */
  readonly nextKey?: string;
  /** SHA-256 of the signed notification. */
  readonly signedHash: string;
  /** Its ETag. */
  readonly tag?: string;
}
