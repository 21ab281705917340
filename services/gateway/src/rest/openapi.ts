// /openapi.json

import type { Context } from '../context.js';
import type { Content } from '../openapi/content.js';
import type { RouteReply } from '../reply/send.js';
import type { Resource, Route } from '../route.js';

const document: Content = {
  'application/json': { schema: { type: 'object', description: 'An OpenAPI 3.1 document.' } },
};

/** GET of the description of the interface. */
const interfaceDescription: Route = {
  id: 'getDescription',
  tag: 'Pages',
  summary: 'Fetch this description',
  doc: 'Returns the OpenAPI 3.1 document of this interface. `/docs` shows it to people.',
  query: {},
  success: { doc: 'The document.', content: document },
  credentials: 'optional',
  handler: describe,
};

/** The described path has the extension, because there is no other format. */
export const openapiResource: Resource = {
  name: 'openapi',
  url: '/openapi',
  describedPath: '/openapi.json',
  format: 'json',
  GET: interfaceDescription,
};

async function describe({ interfaceDescription: content }: Context): Promise<RouteReply> {
  return { status: 200, content };
}
