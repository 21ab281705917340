import type { FastifyRequest, onRequestHookHandler } from 'fastify';
import { HttpError, type ReplyHeaders } from '../errors.js';
import { sessionOf } from '../reply/session-cookies.js';
import { isRead } from '../request-context.js';
import { messages } from '../ripe-messages.js';
import type { GatewaySettings } from '../settings.js';

type Settings = Pick<GatewaySettings, 'baseUrl' | 'httpsPort'>;

/**
 * Refuses (426) writes and credentials without encryption (decision W6). A `Link` in the reply points to HTTPS. RDAP
 * has no writes, also over HTTPS: these get 405 (RFC 7480).
 */
export function requireHttps(settings: Settings): onRequestHookHandler {
  return (request, _reply, done) => {
    if (!request.client.secure) {
      if (request.headers.authorization !== undefined || sessionOf(request) !== undefined) {
        throw new HttpError(426, messages.httpsRequiredForCredentials(), upgradeOf(settings, request));
      }
      const { format, isHttpsOnly } = request.facts;
      if ((!isRead(request) && format !== 'rdap') || isHttpsOnly) {
        throw new HttpError(426, messages.httpsRequired(), upgradeOf(settings, request));
      }
    }
    done();
  };
}

/** RFC 9110 section 15.5.22. The connection ends, because the body remains unread. */
function upgradeOf(settings: Settings, request: FastifyRequest): ReplyHeaders {
  const address = httpsAddress(settings, request.hostname);
  return {
    upgrade: 'TLS/1.2, HTTP/1.1',
    connection: 'Upgrade, close',
    ...(address !== undefined && { link: `<${address}/>; rel="alternate"` }),
  };
}

/** The public URL; otherwise, the port for HTTPS at the host of the request. Undefined while unknown. */
export function httpsAddress({ baseUrl, httpsPort }: Settings, host: string): string | undefined {
  if (baseUrl?.startsWith('https:')) return baseUrl;
  if (baseUrl !== undefined || httpsPort === 0 || !/^([\w.-]+|\[[\da-f:]+\])$/i.test(host)) return undefined;
  return `https://${host}${httpsPort === 443 ? '' : `:${httpsPort}`}`;
}
