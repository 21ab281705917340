import type { Key, RpslObject } from '@cadastre/rpsl';
import type { CertificateReading } from './certificates/certificate-model.js';

/** What is done to an object. `create` also of an object that exists: rule G-EXISTS refuses it. */
export type Action = 'create' | 'modify' | 'delete';

/** One change, as rules see it. */
export interface Change {
  readonly action: Action;
  readonly key: Key;
  /** The new state; of a deletion the state that is deleted. */
  readonly object: RpslObject;
  /** The state before, normalised. */
  readonly stored: RpslObject | undefined;
  /** Of a deletion: what the caller takes the object for, if it says so. */
  readonly expected?: RpslObject | undefined;
  /** What the new state of a key-cert holds. */
  readonly certificate?: CertificateReading | undefined;
}
