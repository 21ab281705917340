import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestHookHandler, RouteHandlerMethod } from 'fastify';
import findMyWay from 'find-my-way';
import { anonymousBodyBytes, type BodyAllowance } from './body/budget.js';
import { reservedSegments } from './canonical-url.js';
import type { Context } from './context.js';
import { HttpError } from './errors.js';
import { rdapResources, unknownRdapFacts } from './rdap/index.js';
import { preflightHeaders } from './reply/cors.js';
import { sendEmpty, sendFile, sendReply } from './reply/send.js';
import { abuseContactResource } from './rest/abuse-contact.js';
import { apiKeyResource, apiKeysResource } from './rest/api-keys.js';
import { batchResource } from './rest/batch.js';
import { bulkLookupResource } from './rest/bulk-lookup.js';
import { changesResource } from './rest/changes.js';
import { dumpResources } from './rest/dumps.js';
import { geolocationResource } from './rest/geolocation.js';
import { limitsResource } from './rest/metadata-limits.js';
import { sourcesResource } from './rest/metadata-sources.js';
import { templateResource } from './rest/metadata-templates.js';
import { nrtmv4Resources } from './rest/nrtmv4.js';
import { objectResources } from './rest/object.js';
import { openapiResource } from './rest/openapi.js';
import { referencesResource } from './rest/references.js';
import { searchResource } from './rest/search.js';
import { searchCountsResource } from './rest/search-counts.js';
import { setExpansionResource } from './rest/search-expansion.js';
import { spaceResource } from './rest/search-space.js';
import { searchSuggestionsResource } from './rest/search-suggestions.js';
import { searchWordsResource } from './rest/search-words.js';
import { sessionResource, signInCallbackResource, signInResource } from './rest/session.js';
import { ownMaintainersResource } from './rest/session-maintainers.js';
import { ownSpaceResource } from './rest/session-space.js';
import { setPrefixesResource } from './rest/set-prefixes.js';
import { syncupdatesResource } from './rest/syncupdates.js';
import { timemapResource, versionResource, versionsResource } from './rest/versions.js';
import { webhookResources } from './rest/webhooks.js';
import { whoisLineResource } from './rest/whois-line.js';
import { messages } from './ripe-messages.js';
import { factsOf, type Resource, type Route, type RouteMethod, routeMethods } from './route.js';
import { type RouteFacts, unknownFacts } from './route-facts.js';
import { documentationFileResource, documentationResource } from './web/docs.js';
import { notificationResources } from './web/notifications.js';
import { webResource } from './web/page.js';

/** All resources of the interface, in the order of its description. */
export const resources: readonly Resource[] = [
  ...objectResources,
  versionsResource,
  timemapResource,
  versionResource,
  setPrefixesResource,
  changesResource,
  referencesResource,
  batchResource,
  syncupdatesResource,
  searchResource,
  searchCountsResource,
  searchWordsResource,
  searchSuggestionsResource,
  setExpansionResource,
  whoisLineResource,
  spaceResource,
  sourcesResource,
  templateResource,
  limitsResource,
  geolocationResource,
  abuseContactResource,
  bulkLookupResource,
  apiKeysResource,
  apiKeyResource,
  sessionResource,
  ownMaintainersResource,
  ownSpaceResource,
  signInResource,
  signInCallbackResource,
  ...webhookResources,
  ...notificationResources,
  ...rdapResources,
  ...nrtmv4Resources,
  ...dumpResources,
  openapiResource,
  documentationResource,
  documentationFileResource,
  webResource,
];

/** Registers every route; HEAD uses the handler of GET. */
export function addRoutes(app: FastifyInstance, context: Context): void {
  for (const resource of resources) {
    for (const [method, route] of routesOf(resource)) {
      const options = {
        method: method === 'GET' ? ['GET', 'HEAD'] : [method],
        schema: { querystring: route.query },
        config: { facts: factsOf(resource, route) },
        handler: handlerOf(context, route),
      };
      for (const url of urlsOf(resource)) app.route({ url, ...options });
    }
  }
}

/** What a path leads to, whatever the method. */
interface Target {
  readonly resource?: Resource;
  readonly facts: RouteFacts;
}

const unknown: Target = { facts: unknownFacts };
const unknownRdap: Target = { facts: unknownRdapFacts };

const targets = findMyWay({ maxParamLength: Number.MAX_SAFE_INTEGER });
for (const resource of resources) {
  const target: Target = { resource, facts: factsOf(resource) };
  for (const url of urlsOf(resource)) targets.on('GET', url, () => {}, target);
}
for (const segment of reservedSegments) {
  targets.on('GET', `/${segment}/*`, () => {}, segment === 'rdap' ? unknownRdap : unknown);
}

/** The target of a routed URL, and the parameters of its path. */
export function targetOf(url: string): Target & { params?: Readonly<Record<string, string | undefined>> } {
  const { store = unknown, params = {} } = targets.find('GET', url) ?? {};
  return { ...(store as Target), params };
}

/** The methods that resources have. Fastify's router has a tree of URLs for each, so that others have none. */
const routed = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE'];

/** Registers what `refuseWithoutRoute` refuses, so that no route with parameters is used for it. */
export function addOtherMethods(app: FastifyInstance): void {
  for (const resource of resources) {
    const method = routed.filter((one) => !allowedMethods(resource).includes(one));
    for (const url of urlsOf(resource)) app.route({ url, method, handler: replyNotFound });
  }
  for (const segment of reservedSegments) {
    app.route({ url: `/${segment}/*`, method: routed, handler: replyNotFound });
  }
}

/**
 * Refuses requests without a route, before Fastify checks their Content-Type: 404 without a resource, else 405. OPTIONS
 * of a resource continues.
 */
export const refuseWithoutRoute: onRequestHookHandler = ({ method, routeOptions, url }, _reply, done) => {
  if (routeOptions.config.facts === undefined) {
    const { resource } = targetOf(url);
    if (resource === undefined) replyNotFound();
    else if (method !== 'OPTIONS') {
      throw new HttpError(405, messages.methodNotAllowed(method), { allow: allowedMethods(resource).join(', ') });
    }
  }
  done();
};

/** Replies to OPTIONS of a resource; refuses (404) a file that does not exist. */
export function replyWithoutRoute(context: Context): RouteHandlerMethod {
  return (request, reply) => {
    if (request.method !== 'OPTIONS') return replyNotFound();
    const allowed = allowedMethods(targetOf(request.url).resource!);
    return sendEmpty(context, request, reply, { allow: allowed.join(', '), ...preflightHeaders(request, allowed) });
  };
}

/** Refuses (404) a path without a resource. */
function replyNotFound(): never {
  throw new HttpError(404, messages.unknownPath());
}

/** The routes of a resource by method. */
export function routesOf(resource: Resource): [RouteMethod, Route][] {
  return routeMethods.flatMap((method) => (resource[method] ? [[method, resource[method]]] : []));
}

/** The patterns by which Fastify's router finds a resource. */
function urlsOf({ url, aliases = [] }: Resource): readonly string[] {
  return [url, ...aliases];
}

/** The methods of a resource, for the header Allow. */
function allowedMethods(resource: Resource): string[] {
  const methods = routesOf(resource).map(([method]) => method);
  return [...methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])), 'OPTIONS'];
}

function handlerOf(context: Context, route: Route): RouteHandlerMethod {
  const handle = async (request: FastifyRequest, reply: FastifyReply) => {
    const replied = await route.handler(context, request as never, reply);
    return 'file' in replied ? sendFile(context, request, reply, replied) : sendReply(context, request, reply, replied);
  };
  if (route.body === undefined) return handle;
  return async (request, reply) => {
    request.bodyAllowance = openBody(context, request);
    return handle(request, reply).finally(() => {
      context.limiter.charge(request.limitedClient, 'bytes', request.bodyAllowance.taken());
      request.bodyAllowance.end();
    });
  };
}

/** Requests without credentials may only have small bodies. */
function openBody({ bodyBudget, settings }: Context, { limitedClient, principal }: FastifyRequest): BodyAllowance {
  const max = principal === undefined ? Math.min(anonymousBodyBytes, settings.bodyBytes) : settings.bodyBytes;
  return bodyBudget.open(limitedClient.id, max);
}
