import type { Message } from '@cadastre/proto/registry';
import type { AbuseContact, ResourceHolder } from '@cadastre/proto/search';
import type { RpslObject } from '@cadastre/rpsl';
import type { Call } from '@cadastre/service';
import type { ObjectId } from '../index-port.js';

/** Which findings about the holder are wanted. */
export interface HolderQuestion {
  readonly resourceHolder: boolean;
  readonly abuseContact: boolean;
}

/** Who holds an object and whom to write to about abuse. */
export interface HolderAnswer {
  readonly resourceHolder?: ResourceHolder | undefined;
  readonly abuseContact?: AbuseContact | undefined;
}

/** Knows holders and abuse contacts; answers in the order of the objects, at most 1,000 of them. */
export type DescribeHolders = (
  ids: readonly ObjectId[],
  question: HolderQuestion,
  call: Pick<Call, 'signal' | 'deadline' | 'requestId'>,
) => Promise<readonly HolderAnswer[]>;

/** Compares a route or route6 with what is authorised by ROAs: at most one warning; none when it agrees. */
export type CheckRoute = (route: RpslObject) => readonly Message[];
