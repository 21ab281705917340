import { schemas } from '../documents/schemas.js';
import { cookieNames } from '../reply/session-cookies.js';
import { factsOf, type Resource, type Route, type RouteMethod } from '../route.js';
import { resources, routesOf } from '../routes.js';
import type { OpenApiDocument, OperationObject, PathItem, ResponseObject } from './document-types.js';
import type { Operation, Tag } from './operation.js';
import { headerParameterObjects, pathParameterObjects, queryParameterObjects } from './parameter-objects.js';
import { refusalComponents, refusalResponses } from './refusals.js';
import { headerComponents, headerReferences } from './response-headers.js';

const introduction = `Look up, search and write the objects of a registry of Internet number resources.

**Formats.** Reads return XML, JSON or text; writes return XML or JSON. An extension of the path (\`.xml\`, \`.json\`,
\`.txt\`) selects the format; without one, \`Accept\` does; without both, it is XML. Responses are in UTF-8. The registry
stores objects in latin-1: it replaces other characters by \`?\` and adds a warning. Responses to reads without credentials
are compressed with Brotli or gzip if \`Accept-Encoding\` allows it.

**Methods.** \`HEAD\` works like \`GET\`, without a body. \`OPTIONS\` returns the methods of the path.

**HTTPS.** Writes and requests with credentials need HTTPS; over plain HTTP the status is 426.

**Paths.** Each path also exists under \`/whois\`. Source, type and key may be in any letter case.

**Query parameters.** A flag is on if it has no value, an empty value or \`true\`, and off if it is \`false\`. Reads also
accept \`1\` and \`yes\` as on and every other value as off, ignore unknown parameters, and accept repeated ones with equal
values. Writes refuse all these, so that a mistyped parameter stores nothing. Requests with \`password\` or \`override\` are
refused: consider a secret that you sent in them disclosed.

Requests that are not valid HTTP are refused in XML: 400; 408 for one that takes too long; 431 for one with too large a
header.`;

const tags: Readonly<Record<Tag, string>> = {
  Objects: 'One object: look it up, write it, and read its history.',
  Search: 'Find objects by a query.',
  Metadata: 'Sources, object types and limits.',
  Resources: 'Location and abuse contact of an address, prefix or AS number.',
  Account: 'API keys and sessions of the caller.',
  RDAP: 'RDAP (RFC 9082, RFC 9083) view of the same objects. Each path also exists without `/rdap` on the host names of RDAP, if the registry has any.',
  Mirroring:
    'Data for mirrors of this registry: NRTMv4, and daily dumps. Only over HTTPS, and only if this registry publishes it.',
  Pages: 'Pages for people, and this description.',
};

/** The description of the interface, generated from its routes. */
export function describeInterface(version: string): OpenApiDocument {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Cadastre',
      version,
      summary: 'REST interface of a registry database for Internet number resources',
      description: introduction,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/', description: 'The server of this description.' }],
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    paths: Object.fromEntries(resources.map((resource) => [describedPath(resource), pathItem(resource)])),
    components: { schemas, responses: refusalComponents(), headers: headerComponents(), securitySchemes },
  };
}

/** Template of the path of a resource (OpenAPI 3.1 section 4.8.8). */
export function describedPath({ url, describedPath = url }: Resource): string {
  return describedPath.replace(/:(\w+)/g, '{$1}');
}

function pathItem(resource: Resource): PathItem {
  return Object.fromEntries(
    routesOf(resource).map(([method, route]) => [method.toLowerCase(), operationObject(resource, method, route)]),
  );
}

function operationObject(resource: Resource, method: RouteMethod, route: Route): OperationObject {
  return {
    operationId: route.id,
    tags: [route.tag],
    summary: route.summary,
    description: route.doc,
    security: securityOf(route),
    parameters: [
      ...pathParameterObjects(describedPath(resource)),
      ...queryParameterObjects(route.query),
      ...headerParameterObjects(route.headers ?? []),
    ],
    ...(route.body && { requestBody: { description: route.body.doc, required: true, content: route.body.content } }),
    responses: { ...successResponses(method, route), ...refusalResponses(factsOf(resource, route), method, route) },
  };
}

/** Reads are conditional (RFC 9110 section 13), though a streamed result has no ETag. */
function successResponses(method: RouteMethod, { success }: Route): Record<string, ResponseObject> {
  const { status = 200, doc, headers = [], content, empty, hasRanges } = success;
  const isConditional = method === 'GET' && status === 200;
  const named = isConditional ? [...headers, 'ETag' as const] : headers;
  const response: ResponseObject = {
    description: doc,
    ...(named.length === 0 ? {} : { headers: headerReferences(named) }),
    ...(content === undefined ? {} : { content }),
  };
  const notModified = {
    description: 'The client already has the current content.',
    headers: headerReferences(['ETag']),
  };
  const part = { ...response, description: 'The part of it that `Range` names.' };
  return {
    [status]: response,
    ...(empty === undefined ? {} : { 204: { description: empty } }),
    ...(hasRanges ? { 206: part } : {}),
    ...(isConditional ? { 304: notModified } : {}),
  };
}

/** The description of the interface as JSON text, which ends with LF. */
export function interfaceText(version: string): string {
  return `${JSON.stringify(describeInterface(version), undefined, 2)}\n`;
}

/** How a request identifies its sender. Some generators turn these names into types, so no schema has one of them. */
const securitySchemes = {
  apiKey: {
    type: 'http',
    scheme: 'basic',
    description: 'An API key: `Basic` and the credential from the response that created the key.',
  },
  token: { type: 'http', scheme: 'bearer', description: 'An access token of the identity provider.' },
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: cookieNames.session,
    description:
      'The session of a browser that signed in at `/session/login`. Writes must come from a page of this service.',
  },
  clientCertificate: {
    type: 'mutualTLS',
    description: 'A client certificate that a `key-cert` object contains, on the port for client certificates.',
  },
};

const everyScheme = Object.keys(securitySchemes).map((name) => ({ [name]: [] }));

/** The credentials of an operation. */
function securityOf({ credentials, sessionOnly }: Operation): OperationObject['security'] {
  if (credentials === 'none') return [];
  if (sessionOnly) return [{ session: [] }];
  return credentials === 'required' ? everyScheme : [{}, ...everyScheme];
}
