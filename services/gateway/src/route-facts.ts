import type { ErrorDocument } from './documents/render.js';

/** Whether requests need credentials. With `none`, the gateway ignores existing ones. */
export type CredentialsUse = 'optional' | 'required' | 'none';

/** The properties of a route for hooks. It is a field of Fastify's `config`. */
export interface RouteFacts {
  readonly name: string;
  readonly format: 'negotiated' | 'json' | 'text' | 'events' | 'rows' | 'rdap';
  readonly errors: ErrorDocument;
  readonly isSecret: boolean;
  /** Whether reads need HTTPS too; secret ones do. */
  readonly isHttpsOnly: boolean;
  readonly isSameSite: boolean;
  /** The kind of its load, which determines its limits. */
  readonly load: 'search' | 'stream' | 'other';
  readonly credentials: CredentialsUse;
  readonly showsObjects: boolean;
  /** Whether it only reads, although its method is POST. */
  readonly isQuestion: boolean;
  readonly isCached: boolean;
  /** The headers that it reads beyond those of every request, in lower case. */
  readonly headers: readonly string[];
}

declare module 'fastify' {
  interface FastifyContextConfig {
    facts?: RouteFacts;
  }
}

/** The facts of an unknown path. */
export const unknownFacts: RouteFacts = {
  name: 'unknown',
  format: 'negotiated',
  errors: 'whois-resources',
  isSecret: false,
  isHttpsOnly: false,
  isSameSite: false,
  load: 'other',
  credentials: 'optional',
  showsObjects: false,
  isQuestion: false,
  isCached: false,
  headers: [],
};
