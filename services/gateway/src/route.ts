import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from './context.js';
import type { ErrorDocument } from './documents/render.js';
import type { Operation } from './openapi/operation.js';
import type { QueryParameters, Values } from './parameters.js';
import type { FileReply, RouteReply } from './reply/send.js';
import type { RouteFacts } from './route-facts.js';

/** The parameters in a path: decoded, in the letter case of the request. */
export type PathParameters = Readonly<Record<string, string>>;

/** A request after all hooks (request-context.ts). */
export type RouteRequest<
  P extends PathParameters = PathParameters,
  Q extends QueryParameters = QueryParameters,
> = FastifyRequest<{ Params: P; Querystring: Values<Q> }>;

/** A method of a resource: its handler and its description. */
export interface Route<P extends PathParameters = PathParameters, Q extends QueryParameters = QueryParameters>
  extends Operation<Q> {
  /** Whether the reply shows stored objects, possibly personal ones. */
  readonly showsObjects?: true;
  /** Whether a POST only reads, because its parameters are too long for a URL. */
  readonly isQuestion?: true;
  /** Whether replies to anonymous requests are cached. */
  readonly isCached?: true;
  /** Handles a request. Throws an HttpError or a ServiceError for anything but success. */
  handler(context: Context, request: RouteRequest<P, Q>, reply: FastifyReply): Promise<RouteReply | FileReply>;
}

export const routeMethods = ['GET', 'POST', 'PUT', 'DELETE'] as const;
export type RouteMethod = (typeof routeMethods)[number];

/** A URL with its routes and their common properties. */
export interface Resource extends Partial<Readonly<Record<RouteMethod, Route>>> {
  /** For metrics. */
  readonly name: string;
  /** Pattern of the canonical URL, for Fastify's router. */
  readonly url: string;
  /** Other patterns for the same resource. */
  readonly aliases?: readonly string[];
  /** Path in the description of the interface, if it cannot be derived from the URL. */
  readonly describedPath?: string;
  /**
   * The formats of all replies: XML, JSON and text as negotiated, unless given. With `events` and `rows` only errors have
   * one; those of `rows` are JSON. `rdap` is JSON with the media type and the headers of RDAP, errors included.
   */
  readonly format?: 'json' | 'text' | 'events' | 'rows' | 'rdap';
  /** The document of its errors: whois-resources unless given. */
  readonly errors?: ErrorDocument;
  /** Whether reads need HTTPS too, because they contain credentials. */
  readonly isSecret?: true;
  /** Whether reads need HTTPS too, because programs trust their content as that of this registry. */
  readonly isHttpsOnly?: true;
  /** Whether pages of other sites may not read it, even without credentials. Always so for secret resources. */
  readonly isSameSite?: true;
  /** The limits of its reads, if other than the ordinary ones. */
  readonly load?: 'search' | 'stream';
}

/** The facts of a route, or of a method that the resource does not have. */
export function factsOf(resource: Resource, route?: Route): RouteFacts {
  const format = resource.format ?? 'negotiated';
  return {
    name: resource.name,
    format,
    errors: resource.errors ?? (format === 'text' ? 'text' : 'whois-resources'),
    isSecret: resource.isSecret ?? false,
    isHttpsOnly: (resource.isHttpsOnly || resource.isSecret) ?? false,
    isSameSite: resource.isSameSite ?? resource.isSecret ?? false,
    load: resource.load ?? 'other',
    credentials: route?.credentials ?? 'optional',
    showsObjects: route?.showsObjects ?? false,
    isQuestion: route?.isQuestion ?? false,
    isCached: route?.isCached ?? false,
    headers: (route?.headers ?? []).map(({ name }) => name.toLowerCase()),
  };
}
