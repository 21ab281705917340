import { writeCall } from '../backends/call-options.js';
import type { Context } from '../context.js';
import type { RouteReply } from '../reply/send.js';
import type { Resource, Route, RouteRequest } from '../route.js';
import { notificationPage, pageContent } from './notification-page.js';

type TokenParameters = Record<'token', string>;

/** GET of the page with the button: mail programs follow links on their own, so a GET changes nothing. */
const unsubscribePage: Route<TokenParameters> = {
  id: 'getUnsubscribePage',
  tag: 'Pages',
  summary: 'Open the page to unsubscribe',
  doc: 'Returns a page with a button that unsubscribes the address to which a notification was sent.',
  query: {},
  success: { doc: 'The page.', content: pageContent },
  credentials: 'none',
  handler: async () => notificationPage(question),
};

/** POST of mail programs (RFC 8058) and of the page's button. */
const unsubscription: Route<TokenParameters> = {
  id: 'unsubscribe',
  tag: 'Pages',
  summary: 'Unsubscribe from notifications',
  doc: 'Unsubscribes the address to which a notification was sent: it gets no more of them. Mail programs send this request for their user (RFC 8058); its body is ignored.',
  query: {},
  success: { doc: 'The address is unsubscribed.', content: pageContent },
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
  return notificationPage('<p>You are unsubscribed. This address gets no more notifications of this registry.</p>');
}

const question =
  '<p>This address gets notifications of changes in this registry.</p>' +
  '<form method="post"><input type="hidden" name="List-Unsubscribe" value="One-Click">' +
  '<button>Unsubscribe</button></form>';
