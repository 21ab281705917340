import type { Context } from '../context.js';
import type { Content } from '../openapi/content.js';
import type { Answer } from '../respond.js';
import type { Route } from './route.js';

const document: Content = {
  'application/json': { schema: { type: 'object', description: 'An OpenAPI 3.1 document.' } },
};

/** GET of the description of the interface. */
export const interfaceDescription: Route<'openapi'> = {
  id: 'getDescription',
  tag: 'Pages',
  summary: 'Fetch this description',
  doc: 'The OpenAPI 3.1 document of this interface. `/docs` shows it to people.',
  query: {},
  success: { doc: 'The document.', content: document },
  credentials: 'optional',
  answer: describe,
};

async function describe({ interfaceDescription: content }: Context): Promise<Answer> {
  return { status: 200, content };
}
