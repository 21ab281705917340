import type { AbuseContact, ResourceHolder } from '@cadastre/proto/search';
import type { RpslObject } from '@cadastre/rpsl';
import type { Call } from '@cadastre/service';
import type { ObjectId } from '../index-port.js';

/** An object to annotate; its key is folded. */
export interface AnnotatedObject {
  readonly stored: ObjectId;
  readonly object: RpslObject;
}

/** The requested annotations about the holder. */
export interface HolderQuestion {
  readonly resourceHolder: boolean;
  readonly abuseContact: boolean;
}

/** The holder and the abuse contact of an object. */
export interface HolderAnswer {
  readonly resourceHolder?: ResourceHolder | undefined;
  readonly abuseContact?: AbuseContact | undefined;
}

/** Finds holders and abuse contacts of at most 1,000 objects, in their order; undefined where it cannot. */
export type DescribeHolders = (
  page: readonly AnnotatedObject[],
  question: HolderQuestion,
  call: Pick<Call, 'signal' | 'deadline' | 'requestId'>,
) => Promise<readonly (HolderAnswer | undefined)[]>;
