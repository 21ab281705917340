import { writeCall } from '../backends/call-options.js';
import type { Context } from '../context.js';
import type { Content } from '../openapi/content.js';
import type { RouteReply } from '../plugins/reply.js';
import type { Resource, Route, RouteRequest } from './route.js';

type TokenParameters = Record<'token', string>;

const page: Content = { 'text/html': { schema: { type: 'string' } } };

/** GET of the page with the button: mail programs follow links on their own, so a GET changes nothing. */
const unsubscribePage: Route<TokenParameters> = {
  id: 'getUnsubscribePage',
  tag: 'Pages',
  summary: 'Open the page to unsubscribe',
  doc: 'Returns a page with a button that unsubscribes the address to which a notification was sent.',
  query: {},
  success: { doc: 'The page.', content: page },
  credentials: 'none',
  handler: async () => pageReply(question),
};

/** POST of mail programs (RFC 8058) and of the page's button. */
const unsubscription: Route<TokenParameters> = {
  id: 'unsubscribe',
  tag: 'Pages',
  summary: 'Unsubscribe from notifications',
  doc: 'Unsubscribes the address to which a notification was sent: it gets no more of them. Mail programs send this request for their user (RFC 8058); its body is ignored.',
  query: {},
  success: { doc: 'The address is unsubscribed.', content: page },
  refusals: { 404: 'The link is not valid.' },
  credentials: 'none',
  handler: unsubscribe,
};

export const unsubscribeResource: Resource = {
  name: 'unsubscribe',
  url: '/notifications/unsubscribe/:token',
  format: 'text',
  isSecret: true,
  GET: unsubscribePage,
  POST: unsubscription,
};

async function unsubscribe(context: Context, request: RouteRequest<TokenParameters>): Promise<RouteReply> {
  await context.notifications.unsubscribe({ token: request.params.token }, writeCall(context, request));
  return pageReply('<p>You are unsubscribed. This address gets no more notifications of this registry.</p>');
}

const question =
  '<p>This address gets notifications of changes in this registry.</p>' +
  '<form method="post"><input type="hidden" name="List-Unsubscribe" value="One-Click">' +
  '<button>Unsubscribe</button></form>';

const headers = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': "default-src 'none'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  // Other sites do not learn the link. With "no-referrer" the button's request would have "Origin: null" and be refused.
  'referrer-policy': 'same-origin',
  'cache-control': 'no-store',
};

function pageReply(body: string): RouteReply {
  const text = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Notifications</title><main>${body}</main></html>\n`;
  return { status: 200, headers, content: Buffer.from(text) };
}
