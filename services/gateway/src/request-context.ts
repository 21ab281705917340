import type { CountedLimit, LimitedClient } from '@cadastre/limits';
import type { StorageUse } from '@cadastre/proto/objects';
import type { Message, Principal } from '@cadastre/proto/registry';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { BodyAllowance } from './body/budget.js';
import { type CanonicalUrl, canonicalUrl } from './canonical-url.js';
import type { Format } from './documents/whois-resources.js';
import { publicQuery } from './parameters.js';
import type { RouteFacts } from './route-facts.js';
import type { Client } from './server/proxies.js';
import type { GatewaySettings } from './settings.js';

/** The results of the hooks for a request (app.ts). Only `limitedClient` is set twice. */
export interface RequestContext {
  facts: RouteFacts;
  /** The sender, in front of all trusted proxies. */
  client: Client;
  /** Whether it has credentials. */
  hasCredentials: boolean;
  /** The client that limits apply to: the address, or the account after authentication. */
  limitedClient: LimitedClient;
  /** The identity that the credentials prove; absent for anonymous requests. */
  principal: Principal | undefined;
  /** Messages about the credentials. */
  notices: readonly Message[];
  /** Format of the reply. */
  format: Format;
  /** The limits that the headers of the reply show; absent until `limitConcurrency` accepts the request. */
  shownLimits: readonly CountedLimit[] | undefined;
  /** What the caller has stored today, for the headers of the reply to a write; absent without a limit. */
  storageToday: StorageUse | undefined;
  /** Budget for the body of the request; set for routes that read one. */
  bodyAllowance: BodyAllowance;
  /** Base of links, without a final slash. */
  readonly base: string;
  /** URL of the request for links, without extension and without secrets. */
  readonly link: string;
}

declare module 'fastify' {
  interface FastifyRequest extends RequestContext {}
}

const fields = [
  'facts',
  'client',
  'hasCredentials',
  'limitedClient',
  'principal',
  'notices',
  'format',
  'shownLimits',
  'storageToday',
  'bodyAllowance',
] as const satisfies readonly (keyof RequestContext)[];

/** Declares the fields of `RequestContext`. */
export function decorateRequests(app: FastifyInstance, settings: Pick<GatewaySettings, 'baseUrl'>): void {
  for (const field of fields) app.decorateRequest(field);
  app.decorateRequest('base', {
    getter() {
      const { rdapHost } = canonicalUrlOf(this);
      if (rdapHost !== undefined) return `${this.client.secure ? 'https' : 'http'}://${rdapHost}`;
      return settings.baseUrl ?? localBase(this);
    },
  });
  app.decorateRequest('link', {
    getter() {
      const { path, query } = canonicalUrlOf(this);
      const shown = query === '' ? '' : publicQuery(query);
      return `${this.base}${path}${shown === '' ? '' : `?${shown}`}`;
    },
  });
}

/** The address to which the request was sent. */
function localBase({ raw, client }: FastifyRequest): string {
  const { localPort } = raw.socket;
  return `${client.secure ? 'https' : 'http'}://localhost${localPort === undefined ? '' : `:${localPort}`}`;
}

/** The canonical URL of a request. */
export function canonicalUrlOf({ raw, originalUrl }: FastifyRequest): CanonicalUrl {
  return raw.canonicalUrl ?? canonicalUrl(originalUrl);
}

/** Whether the request only reads. */
export function isRead({ method, facts }: FastifyRequest): boolean {
  return method === 'GET' || method === 'HEAD' || method === 'OPTIONS' || facts.isQuestion;
}
