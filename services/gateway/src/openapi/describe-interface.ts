import type { Target } from '../locator.js';
import type { PathRoutes, Route, RouteMethod } from '../routes/route.js';
import type { OpenApiDocument, OperationObject, PathItem, ResponseObject } from './document-types.js';
import type { Tag } from './operation.js';
import { headerParameterObjects, pathParameterObjects, queryParameterObjects } from './parameter-objects.js';
import { refusalComponents, refusalResponses } from './refusals.js';
import { headerComponents, headerReferences } from './response-headers.js';
import { schemas } from './schemas/index.js';
import { securityOf, securitySchemes } from './security.js';

const introduction = `Objects of a registry of Internet number resources: look them up, search, and write them.

**Formats.** Reads answer XML, JSON or text, writes XML or JSON: what \`Accept\` asks for, or what an extension at the end of
the path says (\`.xml\`, \`.json\`, \`.txt\`), which wins. With neither, XML. Answers are encoded in UTF-8; objects are kept in
latin-1, and what is outside becomes \`?\`, with a warning.

**Methods.** \`HEAD\` is answered as \`GET\` without a body, \`OPTIONS\` with the methods of the path.

**HTTPS.** Writes, and requests with credentials, are refused over plain HTTP (426).

**Paths.** Everything is found under \`/whois\` too. Source, type and key are understood in any letter case.

**Query parameters.** Those that are not known are ignored. A flag is on when it is bare, empty or \`true\`, off when it is
\`false\`. \`password\` and \`override\` are refused: what was sent in them must be considered disclosed.

What cannot be read as HTTP is refused in XML: 400, 408 for a request that takes too long, 431 for one with too large a head.`;

const tags: Readonly<Record<Tag, string>> = {
  Objects: 'One object: look it up, write it, and read its history.',
  Search: 'Many objects.',
  Metadata: 'What there is: sources and types.',
  Resources: 'What is known about an address, prefix or AS number.',
  Account: 'Who asks: API keys and sessions.',
  Pages: 'What is made for people, and this description.',
};

type Routes = Readonly<Record<string, PathRoutes<Target['kind']>>>;

/** The description of the interface, made of its routes. */
export function describeInterface(routes: Routes, version: string): OpenApiDocument {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Cadastre',
      version,
      summary: 'REST interface of a registry database for Internet number resources',
      description: introduction,
      license: { name: 'Apache License 2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/', description: 'Where this description was found.' }],
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    paths: Object.fromEntries(
      Object.entries(routes).map(([kind, path]) => [path.path, pathItem(kind as Target['kind'], path)]),
    ),
    components: { schemas, responses: refusalComponents(), headers: headerComponents(), securitySchemes },
  };
}

function pathItem(kind: Target['kind'], { path, ...methods }: PathRoutes<Target['kind']>): PathItem {
  return Object.fromEntries(
    Object.entries(methods).map(([method, route]) => [
      method.toLowerCase(),
      operationObject(kind, method as RouteMethod, path, route as Route),
    ]),
  );
}

function operationObject(kind: Target['kind'], method: RouteMethod, path: string, route: Route): OperationObject {
  return {
    operationId: route.id,
    tags: [route.tag],
    summary: route.summary,
    description: route.doc,
    security: securityOf(route),
    parameters: [
      ...pathParameterObjects(path),
      ...queryParameterObjects(route.query),
      ...headerParameterObjects(route.headers ?? []),
    ],
    ...(route.body && { requestBody: { description: route.body.doc, required: true, content: route.body.content } }),
    responses: { ...successResponses(method, route), ...refusalResponses(kind, method, route) },
  };
}

/** Reads are conditional (RFC 9110 section 13), though a result that is streamed has no ETag. */
function successResponses(method: RouteMethod, { success }: Route): Record<string, ResponseObject> {
  const { status = 200, doc, headers = [], content } = success;
  const isConditional = method === 'GET' && status === 200;
  const named = isConditional ? [...headers, 'ETag' as const] : headers;
  const response: ResponseObject = {
    description: doc,
    ...(named.length === 0 ? {} : { headers: headerReferences(named) }),
    ...(content === undefined ? {} : { content }),
  };
  const notModified = { description: 'The client has it already.', headers: headerReferences(['ETag']) };
  return { [status]: response, ...(isConditional ? { 304: notModified } : {}) };
}
