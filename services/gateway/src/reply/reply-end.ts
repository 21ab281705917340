import type { IncomingMessage } from 'node:http';
import type { Http2ServerRequest } from 'node:http2';
import type { FastifyReply } from 'fastify';

type Ended = (whole: boolean) => void;

/** Callbacks for the end of a reply: a property of the reply, because each listener costs more than a callback. */
const waiting = Symbol('when the reply ends');

/** Calls back once after a reply was sent or aborted; immediately if that has happened already. */
export function whenReplyEnds({ raw }: { raw: FastifyReply['raw'] & { [waiting]?: Ended[] } }, ended: Ended): void {
  if (raw.destroyed) ended(isWhole(raw));
  else if (raw[waiting]) raw[waiting].push(ended);
  else {
    const all = [ended];
    raw[waiting] = all;
    raw.on('close', () => {
      const whole = isWhole(raw);
      for (const listener of all) listener(whole);
    });
  }
}

/** Node also ends the stream of an aborted HTTP/2 reply, so the end alone proves nothing. */
function isWhole({ writableEnded, writableFinished }: FastifyReply['raw']): boolean {
  return writableEnded && writableFinished;
}

/** Aborted when the client disconnects before it has its reply. */
export function clientGone(reply: FastifyReply): AbortSignal {
  const gone = new AbortController();
  whenReplyEnds(reply, (whole) => whole || gone.abort());
  return gone.signal;
}

/**
 * Ends a response when its client reads nothing for this time (milliseconds). Over HTTP/2 only its stream ends: the
 * other requests of the connection continue. For the next request of a connection the server sets its own timeout
 * again.
 */
export function endWhenStalled(request: IncomingMessage, timeoutMs: number): void {
  const { stream } = request as Partial<Pick<Http2ServerRequest, 'stream'>>;
  (stream ?? request.socket).setTimeout(timeoutMs);
}
