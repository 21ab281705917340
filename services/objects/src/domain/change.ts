import type { Key, Message, RpslObject } from '@cadastre/rpsl';
import type { CertificateReading } from './certificates/certificate-model.js';

/** The action on an object. It is `create` even if the object exists: rule G-EXISTS refuses that. */
export type Action = 'create' | 'modify' | 'delete';

/** Stage 3 of a write: one change with the stored object, as rules and strategies see it. */
export interface Change {
  readonly action: Action;
  readonly key: Key;
  /** The new state; for a deletion the stored state. */
  readonly object: RpslObject;
  /** The state before, normalised. */
  readonly stored: RpslObject | undefined;
  /** Why the caller does not expect the stored state; absent when it does, or accepts any. */
  readonly stale?: Message | undefined;
  /** For a deletion: the object that the caller expects, if it sent one. */
  readonly expected?: RpslObject | undefined;
  /** The key in the new state of a key-cert. */
  readonly certificate?: CertificateReading | undefined;
}
