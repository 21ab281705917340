import { documentationFile } from '../documentation/files.js';
import { contentSecurityPolicy } from '../documentation/page.js';
import { Refusal } from '../errors.js';
import type { Exchange } from '../exchange.js';
import type { TargetOf } from '../locator.js';
import { messages } from '../messages.js';
import type { Content } from '../openapi/content.js';
import type { Answer } from '../respond.js';
import { fileAnswer } from './file-answer.js';
import type { Route } from './route.js';

const page: Content = { 'text/html': { schema: { type: 'string' } } };
const files: Content = {
  'text/css': { schema: { type: 'string' } },
  'text/javascript': { schema: { type: 'string' } },
};

const fileHeaders = { 'cache-control': 'public, max-age=3600', 'content-security-policy': contentSecurityPolicy };

/** GET of the page that shows the description of the interface. */
export const documentationPage: Route<'documentation'> = {
  id: 'getDocumentation',
  tag: 'Pages',
  summary: 'Read this description',
  doc: 'A page for people.',
  query: {},
  success: { doc: 'The page.', content: page },
  credentials: 'none',
  answer: (_context, { request }) => documentation('', request),
};

/** GET of what that page loads. */
export const documentationPart: Route<'documentation-file'> = {
  id: 'getDocumentationFile',
  tag: 'Pages',
  summary: 'Fetch a part of that page',
  doc: 'Style and scripts of the page.',
  query: {},
  success: { doc: 'The file.', content: files },
  refusals: { 404: 'There is no such file.' },
  credentials: 'none',
  answer: (_context, { request, target }: Exchange<TargetOf<'documentation-file'>>) =>
    documentation(target.file, request),
};

async function documentation(name: string, { headers }: Exchange['request']): Promise<Answer> {
  const file = await documentationFile(name);
  if (file === undefined) throw new Refusal(404, messages.unknownPath());
  return fileAnswer(file, headers['accept-encoding'], fileHeaders);
}
