import type { Nrtm3Refusal } from '@cadastre/nrtm';

/**
 * Why a request gets no changes: the client is `current`; the changes are `forgotten` (removed), or the client is
 * `ahead` of the registry, so that its copy needs a dump; there are none at all (`empty`), or not all of the `range`;
 * the client has a `second` stream, or all slots are in use (`full`); it is `not-authorised`, or names an
 * `unknown-source`; the `request` is wrong; the objects service did not respond (`failed`).
 */
export type RefusalReason =
  | 'ahead'
  | 'current'
  | 'empty'
  | 'failed'
  | 'forgotten'
  | 'full'
  | 'not-authorised'
  | 'range'
  | 'request'
  | 'second'
  | 'unknown-source';

/** A refusal with its text for the client, and its reason for the operator. */
export interface Refusal extends Nrtm3Refusal {
  readonly reason: RefusalReason;
}
