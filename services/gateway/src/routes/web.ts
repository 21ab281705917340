import type { Context } from '../context.js';
import { HttpError } from '../errors.js';
import { messages } from '../messages.js';
import { jsonReply, type RouteReply } from '../plugins/reply.js';
import { canonicalUrlOf } from '../request-context.js';
import type { Resource, Route, RouteRequest } from './route.js';
import { pagePolicy, staticFileReply } from './static-file-reply.js';

/** GET of the web interface. */
const webPage: Route = {
  id: 'getWebInterface',
  tag: 'Pages',
  summary: 'Open the web interface',
  doc: 'Returns the web application. Paths below `/-/` belong to it too.',
  query: {},
  success: {
    doc: 'The application, or a file that it loads.',
    content: { '*/*': { schema: { type: 'string', format: 'binary' } } },
  },
  refusals: { 404: 'The server has no web interface, or the file does not exist.' },
  credentials: 'none',
  handler: getPage,
};

export const webResource: Resource = {
  name: 'page',
  url: '/',
  aliases: ['/-/*'],
  format: 'text',
  isSameSite: true,
  GET: webPage,
};

const pageHeaders = {
  'content-security-policy': pagePolicy("'self'"),
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cache-control': 'no-cache',
};
const assetHeaders = { 'cache-control': 'public, max-age=31536000, immutable' };
const assets = '/-/assets/';
/** The list of the mails of a trial; below it each mail as it was written. */
const trialMails = '/-/trial/mails';

/**
 * Assets have a hash in their names, so browsers keep them. Every other path is a page of the application, so the
 * reply is the application. 404 without a web interface.
 */
async function getPage(context: Context, request: RouteRequest): Promise<RouteReply> {
  const { path } = canonicalUrlOf(request);
  if (path === trialMails || path.startsWith(`${trialMails}/`)) {
    return trialMailsReply(context, request, decodeURIComponent(path.slice(trialMails.length + 1)));
  }
  const isAsset = path.startsWith(assets);
  const file = context.webFiles.get(isAsset ? path.slice(1) : 'index.html');
  if (file === undefined) throw new HttpError(404, messages.unknownPath());
  return staticFileReply(file, request.headers['accept-encoding'], isAsset ? assetHeaders : pageHeaders);
}

/**
 * Replies with the list of mails, or with the named one. They show addresses of other people, so only clients on this
 * machine get them, over HTTPS; for everybody else, and without the setting, there is nothing (404).
 */
async function trialMailsReply(
  { trialMails: mails }: Context,
  { client, headers }: RouteRequest,
  name: string,
): Promise<RouteReply> {
  const isLocal = client.secure && /^(127\.|::1$)/.test(client.address);
  // A tunnel that ends on this machine brings clients from elsewhere, whether it is trusted or not.
  const isForwarded = headers['x-forwarded-for'] !== undefined || headers.forwarded !== undefined;
  if (mails === undefined || !isLocal || isForwarded) throw new HttpError(404, messages.unknownPath());
  if (name === '') {
    return { ...jsonReply({ mails: await mails.list() }, { 'content-type': 'application/json' }), isPublic: false };
  }
  const content = await mails.read(name);
  if (content === undefined) throw new HttpError(404, messages.unknownPath());
  return { status: 200, content, isPublic: false };
}
