// /notifications/confirm/:token, /notifications/unsubscribe/:token

import { longCall } from '../backends/call-options.js';
import type { Context } from '../context.js';
import type { Content } from '../openapi/content.js';
import type { Operation } from '../openapi/operation.js';
import type { RouteReply } from '../reply/send.js';
import type { Resource, Route } from '../route.js';

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
type Description = Pick<Operation, 'id' | 'summary' | 'doc'>;

/** A link in a mail, to a page with a button. */
interface MailLink {
  readonly name: string;
  /** The path before the token. */
  readonly path: string;
  readonly page: Description;
  /** What the page shows before and after the button is pressed. */
  readonly question: string;
  readonly done: string;
  /** The request of the button. */
  readonly button: Description & { readonly success: string };
  readonly press: (
    context: Context,
  ) => (request: TokenParameters, call: ReturnType<typeof longCall>) => Promise<object>;
}

/** A GET shows the page and changes nothing: mail programs and scanners follow links automatically. */
function mailLink({ name, path, question, press, done, page, button: { success, ...button } }: MailLink): Resource {
  const show: Route<TokenParameters> = {
    ...page,
    tag: 'Pages',
    query: {},
    success: { doc: 'The page.', content: pageContent },
    credentials: 'none',
    handler: async () => notificationPage(question),
  };
  const change: Route<TokenParameters> = {
    ...button,
    tag: 'Pages',
    query: {},
    success: { doc: success, content: pageContent },
    refusals: { 404: 'The link is not valid.' },
    credentials: 'none',
    async handler(context, request) {
      await press(context)({ token: request.params.token }, longCall(context, request));
      return notificationPage(done);
    },
  };
  return { name, url: `${path}/:token`, format: 'text', isSecret: true, GET: show, POST: change };
}

const confirmAddress = mailLink({
  name: 'confirm-address',
  path: '/notifications/confirm',
  page: {
    id: 'getConfirmAddressPage',
    summary: 'Open the page to confirm an address',
    doc: 'Returns a page with a button that confirms that an address wants notifications.',
  },
  question:
    '<p>Do you want mails when objects of this registry change that name your address?</p>' +
    '<form method="post"><button>Confirm</button></form>',
  button: {
    id: 'confirmAddress',
    summary: 'Confirm an address for notifications',
    doc: 'Confirms that the address of the link wants notifications: it gets those of later changes. Reverts an earlier unsubscription. The body is ignored.',
    success: 'The address is confirmed.',
  },
  press: ({ notifications }) => notifications.confirm,
  done: '<p>Your address is confirmed. It gets notifications of later changes.</p>',
});

/** Mail programs send the request of the button, too (RFC 8058). */
const unsubscribe = mailLink({
  name: 'unsubscribe',
  path: '/notifications/unsubscribe',
  page: {
    id: 'getUnsubscribePage',
    summary: 'Open the page to unsubscribe',
    doc: 'Returns a page with a button that unsubscribes the address to which a notification was sent.',
  },
  question:
    '<p>This address gets notifications of changes in this registry.</p>' +
    '<form method="post"><input type="hidden" name="List-Unsubscribe" value="One-Click">' +
    '<button>Unsubscribe</button></form>',
  button: {
    id: 'unsubscribe',
    summary: 'Unsubscribe from notifications',
    doc: 'Unsubscribes the address to which a notification was sent: it gets no more of them. Mail programs send this request for their user (RFC 8058); its body is ignored.',
    success: 'The address is unsubscribed.',
  },
  press: ({ notifications }) => notifications.unsubscribe,
  done: '<p>You are unsubscribed. This address gets no more notifications of this registry.</p>',
});

/** The pages of links in mails. */
export const notificationResources: readonly Resource[] = [confirmAddress, unsubscribe];
