import type { Schema } from '@cadastre/rdap/schema';
import type { QueryParameters } from '../parameters.js';
import type { CredentialsUse } from '../route-facts.js';
import type { Content } from './content.js';
import type { ResponseHeader } from './response-headers.js';

/** Groups of operations. */
export type Tag = 'Objects' | 'Search' | 'Metadata' | 'Resources' | 'Account' | 'RDAP' | 'Mirroring' | 'Pages';

/** The body of a request. */
interface BodyDescription {
  readonly doc: string;
  readonly content: Content;
}

/** A header that a route reads, in addition to those of every request. */
export interface RequestHeader {
  readonly name: string;
  readonly doc: string;
  readonly schema: Schema;
}

/** The response of a successful request. */
interface SuccessDescription {
  /** Default: 200. */
  readonly status?: 302;
  readonly doc: string;
  /** Absent for a response without a body. */
  readonly content?: Content;
  readonly headers?: readonly ResponseHeader[];
  /** The meaning of a response without content (204), if there is one. */
  readonly empty?: string;
  /** Whether a client can request a part of the content (RFC 9110 section 14). */
  readonly hasRanges?: true;
}

/** Statuses of refusals that only some routes have, in addition to those of every route. */
type RefusalStatus = 301 | 302 | 404 | 409 | 410 | 412 | 416 | 422 | 501;

/** The description of a route for clients. The document adds the parts that all routes share. */
export interface Operation<Q extends QueryParameters = QueryParameters> {
  /** A verb and its object, in camel case; it becomes the name of the method in generated clients. */
  readonly id: string;
  readonly summary: string;
  /** Markdown. */
  readonly doc: string;
  readonly tag: Tag;
  readonly query: Q;
  readonly headers?: readonly RequestHeader[];
  readonly body?: BodyDescription;
  readonly success: SuccessDescription;
  /** Reasons for a refusal by status. */
  readonly refusals?: Readonly<Partial<Record<RefusalStatus, string>>>;
  readonly credentials: CredentialsUse;
  /** Whether only a browser session is accepted. */
  readonly sessionOnly?: true;
}
