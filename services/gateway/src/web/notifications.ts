// /notifications/confirm/:token, /notifications/unsubscribe/:token

import { writeCall } from '../backends/call-options.js';
import type { Context } from '../context.js';
import type { Content } from '../openapi/content.js';
import type { RouteReply } from '../reply/send.js';
import type { Resource, Route, RouteRequest } from '../route.js';

const pageContent: Content = { 'text/html': { schema: { type: 'string' } } };

const headers = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': "default-src 'none'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  // Hides the link from other sites. With "no-referrer" the button's request would have "Origin: null" and be refused.
  'referrer-policy': 'same-origin',
  'cache-control': 'no-store',
};

/** A page for a user who follows a link in a mail. */
function notificationPage(body: string): RouteReply {
  const text = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Notifications</title><main>${body}</main></html>\n`;
  return { status: 200, headers, content: Buffer.from(text) };
}

type TokenParameters = Record<'token', string>;

/** GET of the page with the button: mail scanners follow links automatically, so a GET confirms nothing. */
const confirmPage: Route<TokenParameters> = {
  id: 'getConfirmAddressPage',
  tag: 'Pages',
  summary: 'Open the page to confirm an address',
  doc: 'Returns a page with a button that confirms that an address wants notifications.',
  query: {},
  success: { doc: 'The page.', content: pageContent },
  credentials: 'none',
  handler: async () => notificationPage(confirmQuestion),
};

/** POST of the page's button. */
const confirmation: Route<TokenParameters> = {
  id: 'confirmAddress',
  tag: 'Pages',
  summary: 'Confirm an address for notifications',
  doc: 'Confirms that the address of the link wants notifications: it gets those of later changes. Reverts an earlier unsubscription. The body is ignored.',
  query: {},
  success: { doc: 'The address is confirmed.', content: pageContent },
  refusals: { 404: 'The link is not valid.' },
  credentials: 'none',
  handler: confirm,
};

const confirmAddressResource: Resource = {
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

const confirmQuestion =
  '<p>Do you want mails when objects of this registry change that name your address?</p>' +
  '<form method="post"><button>Confirm</button></form>';

/** GET of the page with the button: mail programs follow links automatically, so a GET changes nothing. */
const unsubscribePage: Route<TokenParameters> = {
  id: 'getUnsubscribePage',
  tag: 'Pages',
  summary: 'Open the page to unsubscribe',
  doc: 'Returns a page with a button that unsubscribes the address to which a notification was sent.',
  query: {},
  success: { doc: 'The page.', content: pageContent },
  credentials: 'none',
  handler: async () => notificationPage(unsubscribeQuestion),
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

const unsubscribeResource: Resource = {
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

const unsubscribeQuestion =
  '<p>This address gets notifications of changes in this registry.</p>' +
  '<form method="post"><input type="hidden" name="List-Unsubscribe" value="One-Click">' +
  '<button>Unsubscribe</button></form>';

/** The pages of links in mails. */
export const notificationResources: readonly Resource[] = [confirmAddressResource, unsubscribeResource];
