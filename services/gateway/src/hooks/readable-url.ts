import type { IncomingMessage } from 'node:http';
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
 * Refuses a URL that cannot be read: 414 when it is too long, 400 when it is not percent-encoded UTF-8 (RFC 3986
 * section 2.5) or holds control characters. In the query, white space may stand between words. Refuses (400) HTTP/1.1
 * without a Host header too (RFC 9112 section 3.2), and any request that names two hosts: proxies may have read the other
 * one (RFC 9112 section 3.2, RFC 9113 section 8.3.1).
 */
export function requireReadableUrl({ urlBytes }: Pick<GatewaySettings, 'urlBytes'>): onRequestHookHandler {
  return (request, _reply, done) => {
    const { httpVersion, headers } = request.raw;
    if (httpVersion === '1.1' && headers.host === undefined) {
      throw new HttpError(400, messages.hostRequired(), { connection: 'close' });
    }
    if (namesTwoHosts(request.raw)) throw new HttpError(400, messages.oneHostRequired(), { connection: 'close' });
    if (request.originalUrl.length > urlBytes) throw new HttpError(414, messages.urlTooLong(urlBytes));
    if (plain.test(request.originalUrl)) return done();
    const { path, query } = canonicalUrlOf(request);
    if (controls.test(decoded(path)) || controls.test(decoded(query).replace(/[\t\n\r]/g, ' '))) {
      throw new HttpError(400, messages.controlInUrl());
    }
    done();
  };
}

/** Two Host headers, or one that is not the `:authority` of HTTP/2. Node shows the first one only. */
function namesTwoHosts({ rawHeaders, headers }: IncomingMessage): boolean {
  const authority = headers[':authority'];
  let host: string | undefined;
  for (let n = 0; n < rawHeaders.length; n += 2) {
    const name = rawHeaders[n]!;
    if (name.length !== 4 || name.toLowerCase() !== 'host') continue;
    if (host !== undefined) return true;
    host = rawHeaders[n + 1]!.toLowerCase();
  }
  return host !== undefined && typeof authority === 'string' && host !== authority.toLowerCase();
}

function decoded(text: string): string {
  if (/[^\0-\x7f]/.test(text)) throw new HttpError(400, messages.malformedUrl());
  try {
    return text.includes('%') ? decodeURIComponent(text) : text;
  } catch {
    throw new HttpError(400, messages.malformedUrl());
  }
}
