import type { onRequestHookHandler } from 'fastify';
import { HttpError } from '../errors.js';
import { canonicalUrlOf } from '../request-context.js';
import { messages } from '../ripe-messages.js';
import type { GatewaySettings } from '../settings.js';

/** Most URLs need no decoding. */
const plain = /^[!-$&-~]*$/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const controls = /[\0-\x1f\x7f-\x9f]/;

/**
 * Refuses an unreadable URL: 414 when it is too long, 400 when it is not percent-encoded UTF-8 (RFC 3986 section 2.5)
 * or has control characters. The query may have white space between words.
 */
export function requireReadableUrl({ urlBytes }: Pick<GatewaySettings, 'urlBytes'>): onRequestHookHandler {
  return (request, _reply, done) => {
    if (request.originalUrl.length > urlBytes) throw new HttpError(414, messages.urlTooLong(urlBytes));
    if (plain.test(request.originalUrl)) return done();
    const { path, query } = canonicalUrlOf(request);
    if (controls.test(decoded(path)) || controls.test(decoded(query).replace(/[\t\n\r]/g, ' '))) {
      throw new HttpError(400, messages.controlInUrl());
    }
    done();
  };
}

function decoded(text: string): string {
  if (/[^\0-\x7f]/.test(text)) throw new HttpError(400, messages.malformedUrl());
  try {
    return text.includes('%') ? decodeURIComponent(text) : text;
  } catch {
    throw new HttpError(400, messages.malformedUrl());
  }
}
