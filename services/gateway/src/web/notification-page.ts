import type { Content } from '../openapi/content.js';
import type { RouteReply } from '../reply/send.js';

export const pageContent: Content = { 'text/html': { schema: { type: 'string' } } };

const headers = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': "default-src 'none'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  // Other sites do not learn the link. With "no-referrer" the button's request would have "Origin: null" and be refused.
  'referrer-policy': 'same-origin',
  'cache-control': 'no-store',
};

/** A page for who follows a link of a mail. */
export function notificationPage(body: string): RouteReply {
  const text = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Notifications</title><main>${body}</main></html>\n`;
  return { status: 200, headers, content: Buffer.from(text) };
}
