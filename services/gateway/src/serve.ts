import type { FastifyReply, FastifyRequest } from 'fastify';
import { preflightHeaders } from './answer-headers.js';
import type { Context } from './context.js';
import { Refusal } from './errors.js';
import { baseOf, clientGone, type Exchange, formatOf, linkOf, locatorOf } from './exchange.js';
import { admit } from './hooks/admit.js';
import { authenticate, type Identity, nobody } from './hooks/authenticate.js';
import {
  arrive,
  charge,
  enter,
  limitHeaders,
  noteFailedCredentials,
  requireBudget,
  showsObjects,
} from './hooks/limit.js';
import { requireHttps } from './hooks/require-https.js';
import { requireReadableUrl } from './hooks/require-readable-url.js';
import { requireSameOrigin } from './hooks/require-same-origin.js';
import type { Consumer } from './limits/consumer.js';
import type { Target } from './locator.js';
import { messages } from './messages.js';
import { readParameters } from './parameters.js';
import { respond } from './respond.js';
import { allowedMethods, routeOf } from './routes/index.js';

/** The way of a request that is not answered from the cache, in the order of the checks. */
export async function serve(context: Context, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const locator = locatorOf(request);
  const { target } = locator;
  request.route = target.kind;
  admit(context, reply, target);
  const sender = arrive(context, request);
  requireHost(request);
  requireHttps(request, target);
  requireReadableUrl(request, locator, context.settings);
  requireSameOrigin(request, context.settings);
  const route = routeOf(target, request.method);
  // Before everything that credentials do not decide: who guesses learns nothing, and is charged for each request.
  const { principal, notices } = route?.credentials === 'none' ? nobody : await identify(context, request, sender);
  const consumer = charge(context, request, sender, principal);
  if (request.method === 'OPTIONS' && target.kind !== 'unknown') return respondOptions(request, reply, target);
  if (route === undefined) throw noRoute(target, request.method);
  const parameters = readParameters(locator.query, route.query, context.settings.parameters);
  const format = formatOf(request, locator);
  if (format === undefined) throw notAcceptable(request, locator.extension);
  enter(context, reply, consumer);
  if (showsObjects(request, target)) requireBudget(context, consumer);
  const base = baseOf(request, context.settings);
  const link = linkOf(base, locator);
  const exchange: Exchange = {
    request,
    target,
    parameters,
    format,
    base,
    link,
    principal,
    consumer,
    notices,
    clientGone: () => clientGone(reply),
  };
  const answer = await route.answer(context, exchange).finally(() => {
    // Errors too tell where the client stands.
    reply.headers(limitHeaders(context, request, consumer, showsObjects(request, target)));
  });
  return respond(request, reply, format, { isPublic: principal === undefined, ...answer });
}

/** RFC 9112 section 3.2. */
function requireHost({ raw }: FastifyRequest): void {
  if (raw.httpVersion !== '1.1' || raw.headers.host !== undefined) return;
  throw new Refusal(400, messages.hostRequired(), { connection: 'close' });
}

async function identify(context: Context, request: FastifyRequest, sender: Consumer): Promise<Identity> {
  try {
    return await authenticate(context, request);
  } catch (thrown) {
    noteFailedCredentials(context, sender, thrown);
    throw thrown;
  }
}

function respondOptions(request: FastifyRequest, reply: FastifyReply, target: Target): FastifyReply {
  const methods = allowedMethods(target);
  const headers = { allow: methods.join(', '), ...preflightHeaders(request, methods) };
  return respond(request, reply, 'text', { status: 200, headers, content: Buffer.alloc(0) });
}

function noRoute(target: Target, method: string): Refusal {
  const allow = allowedMethods(target).join(', ');
  if (allow === '') return new Refusal(404, messages.unknownPath());
  return new Refusal(405, messages.methodNotAllowed(method), { allow });
}

function notAcceptable(request: FastifyRequest, extension: string | undefined): Refusal {
  if (extension !== undefined) return new Refusal(415, messages.unsupportedExtension());
  return new Refusal(415, messages.unsupportedAccept(request.headers.accept ?? ''));
}
