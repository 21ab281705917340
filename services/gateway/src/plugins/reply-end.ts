import type { FastifyReply } from 'fastify';

/** Calls back once when a reply was sent or cut off; immediately if that has happened already. */
export function whenReplyEnds({ raw }: Pick<FastifyReply, 'raw'>, ended: (whole: boolean) => void): void {
  // Node ends the stream of an HTTP/2 reply that is cut off, so that alone says nothing.
  const tell = () => ended(raw.writableEnded && raw.writableFinished);
  if (raw.destroyed) tell();
  else raw.once('close', tell);
}

/** Aborted when the client disconnects before it has its reply. */
export function clientGone(reply: FastifyReply): AbortSignal {
  const gone = new AbortController();
  whenReplyEnds(reply, (whole) => whole || gone.abort());
  return gone.signal;
}
