import type { FastifyRequest, onRequestHookHandler } from 'fastify';
import type { Context } from '../context.js';
import { whenReplyEnds } from '../reply/reply-end.js';
import { canonicalUrlOf } from '../request-context.js';

/**
 * Counts every request, and logs one event: at level debug, or warn when it was slow. The status is "aborted" if the
 * connection ended before the reply. Logs neither query strings nor headers: they may contain secrets and personal
 * data.
 */
export function logRequests({
  logger,
  metrics,
  settings,
}: Pick<Context, 'logger' | 'metrics' | 'settings'>): onRequestHookHandler {
  const logsAll = logger.isLevelEnabled('debug');
  const note = (request: FastifyRequest, status: number | 'aborted', milliseconds: number) => {
    // A change stream ends when its client disconnects, so its duration has no meaning.
    const seconds = request.facts.load === 'stream' ? undefined : milliseconds / 1000;
    metrics.answered(request.facts.name, status, seconds);
    const slow = milliseconds > settings.slowRequest && request.facts.load !== 'stream';
    if (!slow && !logsAll) return;
    const event = eventOf(request, status, milliseconds);
    if (slow) logger.warn(event, 'slow request');
    else logger.debug(event, 'request');
  };
  return (request, reply, done) => {
    const begin = performance.now();
    whenReplyEnds(reply, (whole) => note(request, whole ? reply.statusCode : 'aborted', performance.now() - begin));
    done();
  };
}

/** Longest path in the log, in characters; a longer one ends with an ellipsis. */
const maxPathLength = 256;

function eventOf(request: FastifyRequest, status: number | 'aborted', milliseconds: number) {
  const { path } = canonicalUrlOf(request);
  return {
    requestId: request.id,
    method: request.method,
    path: path.length > maxPathLength ? `${path.slice(0, maxPathLength)}…` : path,
    secure: request.client.secure,
    client: request.client.address,
    status,
    milliseconds: Math.round(milliseconds * 100) / 100,
  };
}
