import type { QueryParameters } from '../parameters.js';
import type { Content } from './content.js';
import type { ResponseHeader } from './response-headers.js';
import type { Schema } from './schemas/schema.js';

/** What operations are grouped by. */
export type Tag = 'Objects' | 'Search' | 'Metadata' | 'Resources' | 'Account' | 'Pages';

/** A body that a request carries. */
export interface BodyDescription {
  readonly doc: string;
  readonly content: Content;
}

/** A header that a route reads, beside those that count for every request. */
export interface RequestHeader {
  readonly name: string;
  readonly doc: string;
  readonly schema: Schema;
}

/** What is answered when all goes well. */
export interface SuccessDescription {
  /** 200 unless it is a redirect. */
  readonly status?: 302;
  readonly doc: string;
  /** Absent for an answer without a body. */
  readonly content?: Content;
  readonly headers?: readonly ResponseHeader[];
}

/** Statuses of refusals that only some routes have, beside those that every route may have. */
export type RefusalStatus = 404 | 409;

/** A route as clients see it: what no other route tells. What all routes have in common is added to the document. */
export interface Operation<Q extends QueryParameters = QueryParameters> {
  /** A verb and what it is done to, in camel case; clients are generated with it. */
  readonly id: string;
  readonly summary: string;
  /** Markdown. */
  readonly doc: string;
  readonly tag: Tag;
  readonly query: Q;
  readonly headers?: readonly RequestHeader[];
  readonly body?: BodyDescription;
  readonly success: SuccessDescription;
  /** Why it may be refused, in words, by status. */
  readonly refusals?: Readonly<Partial<Record<RefusalStatus, string>>>;
  /** Whether who brings no credential is refused, though a refusal may depend on more; for `none` they are not looked at. */
  readonly credentials: 'optional' | 'required' | 'none';
}
