import type { FastifyReply } from 'fastify';

/** Calls back once, when an answer was sent whole or was cut off; at once when it is over already. */
export function whenOver({ raw }: Pick<FastifyReply, 'raw'>, over: (whole: boolean) => void): void {
  // Node ends the stream of an HTTP/2 answer that is cut off, so that alone says nothing.
  const tell = () => over(raw.writableEnded && raw.writableFinished);
  if (raw.destroyed) tell();
  else raw.once('close', tell);
}
