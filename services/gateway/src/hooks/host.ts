import type { IncomingMessage } from 'node:http';
import type { onRequestHookHandler } from 'fastify';
import { HttpError } from '../errors.js';
import { messages } from '../ripe-messages.js';
import type { GatewaySettings } from '../settings.js';

/**
 * Refuses (400) HTTP/1.1 without a Host header (RFC 9112 section 3.2), and any request with two hosts: proxies may have
 * read the other one (RFC 9112 section 3.2, RFC 9113 section 8.3.1).
 */
export const requireOneHost: onRequestHookHandler = ({ raw, originalUrl }, _reply, done) => {
  if (raw.httpVersion === '1.1' && raw.headers.host === undefined) {
    throw new HttpError(400, messages.hostRequired(), { connection: 'close' });
  }
  if (namesTwoHosts(raw, originalUrl)) throw new HttpError(400, messages.oneHostRequired(), { connection: 'close' });
  done();
};

/**
 * Two Host headers, or one that is neither the `:authority` of HTTP/2 nor the host of a URL in the request line. Node
 * shows the first one only.
 */
function namesTwoHosts({ rawHeaders, headers }: IncomingMessage, url: string): boolean {
  const authority = headers[':authority'] ?? /^https?:\/\/([^/?#]*)/i.exec(url)?.[1];
  let host: string | undefined;
  for (let n = 0; n < rawHeaders.length; n += 2) {
    const name = rawHeaders[n]!;
    if (name.length !== 4 || name.toLowerCase() !== 'host') continue;
    if (host !== undefined) return true;
    host = rawHeaders[n + 1]!.toLowerCase();
  }
  return host !== undefined && typeof authority === 'string' && host !== authority.toLowerCase();
}

/** The host of a request, with its port, if it serves RDAP alone. */
type RdapHostOf = (request: IncomingMessage) => string | undefined;

/** Distinguishes requests to `CADASTRE_RDAP_HOSTS` from others. */
export function rdapHosts({ rdapHosts: names }: Pick<GatewaySettings, 'rdapHosts'>): RdapHostOf {
  const known = new Set(names.map((name) => name.toLowerCase()));
  if (known.size === 0) return () => undefined;
  return ({ headers }) => {
    const host = headers[':authority'] ?? headers.host;
    if (typeof host !== 'string') return undefined;
    const folded = host.toLowerCase();
    return known.has(folded.replace(/\.?(?::\d{1,5})?$/, '')) ? folded : undefined;
  };
}
