import { writeCall } from '../backends/call-options.js';
import type { Context } from '../context.js';
import type { RouteReply } from '../reply/send.js';
import type { Resource, Route, RouteRequest } from '../route.js';
import { notificationPage, pageContent } from './notification-page.js';

type TokenParameters = Record<'token', string>;

/** GET of the page with the button: scanners of mails follow links on their own, so a GET confirms nothing. */
const confirmPage: Route<TokenParameters> = {
  id: 'getConfirmAddressPage',
  tag: 'Pages',
  summary: 'Open the page to confirm an address',
  doc: 'Returns a page with a button that confirms that an address wants notifications.',
  query: {},
  success: { doc: 'The page.', content: pageContent },
  credentials: 'none',
  handler: async () => notificationPage(question),
};

/** POST of the page's button. */
const confirmation: Route<TokenParameters> = {
  id: 'confirmAddress',
  tag: 'Pages',
  summary: 'Confirm an address for notifications',
  doc: 'Confirms that the address of the link wants notifications: it gets those of later changes. Undoes that it was unsubscribed. The body is ignored.',
  query: {},
  success: { doc: 'The address is confirmed.', content: pageContent },
  refusals: { 404: 'The link is not valid.' },
  credentials: 'none',
  handler: confirm,
};

export const confirmAddressResource: Resource = {
  name: 'confirm-address',
  url: '/notifications/confirm/:token',
  format: 'text',
  isSecret: true,
  GET: confirmPage,
  POST: confirmation,
};

async function confirm(context: Context, request: RouteRequest<TokenParameters>): Promise<RouteReply> {
  await context.notifications.confirm({ token: request.params.token }, writeCall(context, request));
  return notificationPage('<p>Your address is confirmed. It gets notifications of later changes.</p>');
}

const question =
  '<p>Do you want mails when objects of this registry change that name your address?</p>' +
  '<form method="post"><button>Confirm</button></form>';
