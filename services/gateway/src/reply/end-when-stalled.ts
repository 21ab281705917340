import type { IncomingMessage } from 'node:http';
import type { Http2ServerRequest } from 'node:http2';

/**
 * Ends a response when its client reads nothing for so long (milliseconds). Over HTTP/2 that is its stream: the other
 * requests of the connection go on. For the next request of a connection the server sets its own timeout again.
 */
export function endWhenStalled(request: IncomingMessage, timeoutMs: number): void {
  const { stream } = request as Partial<Pick<Http2ServerRequest, 'stream'>>;
  (stream ?? request.socket).setTimeout(timeoutMs);
}
