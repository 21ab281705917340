import type { Context } from '../context.js';
import { Refusal } from '../errors.js';
import type { Exchange } from '../exchange.js';
import type { TargetOf } from '../locator.js';
import { messages } from '../messages.js';
import type { Answer } from '../respond.js';
import { fileAnswer } from './file-answer.js';
import type { Route } from './route.js';

/** GET of the web interface. */
export const webPage: Route<'page'> = {
  id: 'getWebInterface',
  tag: 'Pages',
  summary: 'Open the web interface',
  doc: 'The application for people, which has everything below `/-/` too.',
  query: {},
  success: { doc: 'The application, or a file that it loads.', content: { '*/*': { schema: { type: 'string' } } } },
  refusals: { 404: 'No web interface is served here, or there is no such file.' },
  credentials: 'none',
  answer: getPage,
};

/** Everything comes from this very origin, and no script or style stands in the page itself. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const pageHeaders = {
  'content-security-policy': policy,
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cache-control': 'no-cache',
};
const assetHeaders = { 'cache-control': 'public, max-age=31536000, immutable' };
const assets = '/-/assets/';

/**
 * Assets have a hash in their names and are kept for ever; every other path is a page that the application makes
 * itself, so it is answered with the application. 404 where no web interface is served.
 */
async function getPage({ webFiles }: Context, exchange: Exchange<TargetOf<'page'>>): Promise<Answer> {
  const { path } = exchange.target;
  const isAsset = path.startsWith(assets);
  const file = webFiles.get(isAsset ? path.slice(1) : 'index.html');
  if (file === undefined) throw new Refusal(404, messages.unknownPath());
  return fileAnswer(file, exchange.request.headers['accept-encoding'], isAsset ? assetHeaders : pageHeaders);
}
