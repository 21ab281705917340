import type { Message, Principal } from '@cadastre/proto/registry';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { whenOver } from './answer-end.js';
import type { Format } from './format/writer.js';
import type { Consumer } from './limits/consumer.js';
import { type Locator, locate, type Target } from './locator.js';
import { acceptsJson, negotiate } from './negotiate.js';
import type { QueryParameters, Values } from './parameters.js';
import { publicQuery } from './secret-parameters.js';
import type { GatewaySettings } from './settings.js';
import type { Client } from './trusted-proxies.js';

/** A request after everything that all routes have in common was found out. */
export interface Exchange<T extends Target = Target, Q extends QueryParameters = QueryParameters> {
  readonly request: FastifyRequest;
  readonly target: T;
  /** The query parameters that the route knows. */
  readonly parameters: Values<Q>;
  /** Format of the answer. */
  readonly format: Format;
  /** Base of links, without a final slash. */
  readonly base: string;
  /** URL of the request, for links. */
  readonly link: string;
  /** Who asks; absent for nobody. */
  readonly principal: Principal | undefined;
  /** Whom it is charged to. */
  readonly consumer: Consumer;
  /** What there is to say about the credentials. */
  readonly notices: readonly Message[];
  /** Aborted when the client goes away before it has its answer. Made when asked for: most routes need none. */
  readonly clientGone: () => AbortSignal;
}

/** Aborted when the client goes away before it has its answer. */
export function clientGone(reply: FastifyReply): AbortSignal {
  const gone = new AbortController();
  whenOver(reply, (whole) => whole || gone.abort());
  return gone.signal;
}

/** Who sent the request, looked at through trusted proxies. */
export function clientOf(request: FastifyRequest): Client {
  return request.client;
}

/** Whether the client sent the request over HTTPS. */
export function isSecure(request: FastifyRequest): boolean {
  return request.client.secure;
}

/** Whether the method only reads; only these may be answered as text. */
export function isRead(request: FastifyRequest): boolean {
  return request.method === 'GET' || request.method === 'HEAD' || request.method === 'OPTIONS';
}

/** The locator of a request. Its URL is the original one: the HTTP framework is given another (see app.ts). */
export function locatorOf(request: FastifyRequest): Locator {
  return locate(request.originalUrl);
}

const jsonKinds: ReadonlySet<Target['kind']> = new Set([
  'api-keys',
  'api-key',
  'session',
  'own-maintainers',
  'openapi',
]);
const textKinds: ReadonlySet<Target['kind']> = new Set([
  'sign-in',
  'sign-in-callback',
  'syncupdates',
  'documentation',
  'documentation-file',
  'page',
]);

/** Whether a target answers in JSON alone, errors included. */
export function isJson(kind: Target['kind']): boolean {
  return jsonKinds.has(kind);
}

/** Whether a target answers in text alone, errors included. */
export function isTextual(kind: Target['kind']): boolean {
  return textKinds.has(kind);
}

/** The format that a request asks for; `undefined` when it asks for none that is offered. */
export function formatOf(request: FastifyRequest, locator: Locator): Format | undefined {
  const { extension, target } = locator;
  if (isJson(target.kind)) return acceptsJson(extension, request.headers.accept) ? 'json' : undefined;
  if (isTextual(target.kind)) return 'text';
  return negotiate(extension, request.headers.accept, isRead(request));
}

/** Base of the links in the answer: the public URL, or what the request was sent to. */
export function baseOf(request: FastifyRequest, settings: Pick<GatewaySettings, 'baseUrl'>): string {
  if (settings.baseUrl !== undefined) return settings.baseUrl.replace(/\/+$/, '');
  const { localPort } = request.raw.socket;
  const port = localPort === undefined ? '' : `:${localPort}`;
  return `${isSecure(request) ? 'https' : 'http'}://localhost${port}`;
}

/** URL of a request, without extension and without secrets. */
export function linkOf(base: string, locator: Locator): string {
  const query = locator.query === '' ? '' : publicQuery(locator.query);
  return `${base}${locator.path}${query === '' ? '' : `?${query}`}`;
}
