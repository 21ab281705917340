import { METHODS } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteHandlerMethod } from 'fastify';
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
import { unknownFacts } from './route-facts.js';
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

/** Registers 405 and OPTIONS for every URL, and 404 for unknown paths below reserved words. */
export function addOtherMethods(app: FastifyInstance, context: Context): void {
  for (const method of METHODS) if (!app.supportedMethods.includes(method)) app.addHttpMethod(method);
  for (const resource of resources) {
    const allowed = allowedMethods(resource);
    const config = { facts: factsOf(resource) };
    const others = app.supportedMethods.filter((method) => !allowed.includes(method));
    for (const url of urlsOf(resource)) {
      app.route({
        url,
        config,
        method: 'OPTIONS',
        handler: (request, reply) => sendMethods(context, request, reply, allowed),
      });
      // Before Fastify requires a Content-Type of a QUERY.
      const onRequest = async (request: FastifyRequest) => refuseMethod(request, allowed);
      app.route({ url, config, method: others, onRequest, handler: replyNotFound });
    }
  }
  for (const segment of reservedSegments) {
    const config = { facts: segment === 'rdap' ? unknownRdapFacts : unknownFacts };
    app.all(`/${segment}/*`, { config }, replyNotFound);
  }
}

/** Refuses (404) a path without a resource. */
export function replyNotFound(): never {
  throw new HttpError(404, messages.unknownPath());
}

function sendMethods(context: Context, request: FastifyRequest, reply: FastifyReply, allowed: readonly string[]) {
  return sendEmpty(context, request, reply, { allow: allowed.join(', '), ...preflightHeaders(request, allowed) });
}

function refuseMethod({ method }: FastifyRequest, allowed: readonly string[]): never {
  throw new HttpError(405, messages.methodNotAllowed(method), { allow: allowed.join(', ') });
}

/** The routes of a resource by method. */
export function routesOf(resource: Resource): [RouteMethod, Route][] {
  return routeMethods.flatMap((method) => (resource[method] ? [[method, resource[method]]] : []));
}

/** The patterns by which Fastify's router finds a resource. */
export function urlsOf({ url, aliases = [] }: Resource): readonly string[] {
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
