// /:source/changes

import { Readable } from 'node:stream';
import { parseSerial } from '@cadastre/query';
import { asciiUpperCase } from '@cadastre/rpsl';
import { ServiceError } from '@cadastre/service';
import type { FastifyReply } from 'fastify';
import type { Context } from '../context.js';
import { HttpError } from '../errors.js';
import { parameter } from '../parameters.js';
import { clientGone } from '../reply/reply-end.js';
import type { RouteReply } from '../reply/send.js';
import { messages } from '../ripe-messages.js';
import type { Resource, Route, RouteRequest } from '../route.js';
import { filterOf, filterQuery } from './change-filter.js';
import { changeStream, type Position } from './change-stream.js';
import { requireSource, type SourceParameters, sourceFirst } from './object-address.js';

const payloads = ['keys', 'object'] as const;

const query = {
  after: parameter.text(
    'The serial, or the `id` of an event, after which the stream begins; default: the newest one. The header `Last-Event-ID` takes precedence.',
    { example: '4711-tox6wv' },
  ),
  ...filterQuery,
  payload: parameter.text(
    'The content of events: `keys` (default), or `object`, the filtered object too. An event has no object after a deletion, for a state that has changed again, for a person and a role that is no abuse contact, and for an object of more than 64 KiB.',
    { example: 'object' },
  ),
};

type ChangesRequest = RouteRequest<SourceParameters, typeof query>;

/** GET of the changes of a source in real time. */
const changeStreamRoute: Route<SourceParameters, typeof query> = {
  id: 'streamChanges',
  tag: 'Search',
  summary: 'Follow the changes of a source',
  doc: 'Returns the changes of the objects of a source as Server-Sent Events, in the order of their serials, and continues in real time. An event `object.created`, `object.modified` or `object.deleted` has an `id` of its serial and time, and a JSON object as its data. An event `position`, at the beginning and at intervals, only has the serial that the stream has reached. A client that reconnects with the last `id` in `Last-Event-ID`, as browsers do, gets every change exactly once. Every 15 seconds without events the stream has a comment with the serial that it has reached.',
  query,
  headers: [
    {
      name: 'Last-Event-ID',
      doc: 'The `id` of the last event that the client received: the stream begins after it.',
      schema: { type: 'string', pattern: '^[0-9]+(-[0-9a-z]+)?$' },
    },
  ],
  success: { doc: 'The changes.', content: { 'text/event-stream': { schema: { type: 'string' } } } },
  refusals: {
    410: 'The registry has removed the changes after this serial because of their age, or was restored to a state before the change with this `id`: start without one, then read the objects again.',
  },
  credentials: 'optional',
  handler: streamChanges,
};

export const changesResource: Resource = {
  name: 'changes',
  url: '/:source/changes',
  format: 'events',
  load: 'stream',
  GET: changeStreamRoute,
};

const streamHeaders = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-store',
  // Otherwise some proxies (nginx) would buffer events.
  'x-accel-buffering': 'no',
};

/** Maximum delay with which this gateway receives a serial that another gateway has sent. */
const aheadMs = 2_000;

async function streamChanges(context: Context, request: ChangesRequest, reply: FastifyReply): Promise<RouteReply> {
  const requested = await sourceFirst(context, request, () => ({
    after: positionOf(request),
    filter: filterOf(request.query),
    withObjects: payloadOf(request.query.payload) === 'object',
  }));
  const signal = AbortSignal.any([clientGone(reply), context.changeLog.ended]);
  const source = asciiUpperCase(request.params.source);
  const after = await startOf(context, request, requested.after, signal);
  const { limiter } = context;
  const content =
    request.method === 'HEAD'
      ? Readable.from([])
      : changeStream(context, {
          ...requested,
          after,
          source,
          base: request.base,
          signal,
          isBlocked: () => limiter.checkBlocked(limiter.clients.atAddress(request.client.address)) !== undefined,
          charge: (characters) => limiter.charge(request.limitedClient, 'bytes', characters),
          untilAffordable: () => limiter.pace(request.limitedClient, 'bytes', 0),
          closeStalled: () => void reply.raw.destroy(),
        });
  return { status: 200, headers: streamHeaders, content, isPublic: false };
}

/** The serial after which the stream begins. Throws an HttpError (400, 410) or a ServiceError. */
async function startOf(
  context: Context,
  request: ChangesRequest,
  from: Position | undefined,
  signal: AbortSignal,
): Promise<Position> {
  const { changeLog, settings } = context;
  const { source } = request.params;
  const { serial: requested, mark = '' } = from ?? {};
  if (!changeLog.knows(source)) await requireSource(context, request);
  let newest = await changeLog.newest(source, 0n, { signal, ms: settings.deadlines.read });
  if (requested !== undefined && newest !== undefined && requested > newest) {
    newest = await changeLog.newest(source, requested, { signal, ms: aheadMs });
  }
  if (newest === undefined) throw new ServiceError('unavailable', 'The change feed is not available');
  const at = requested ?? newest;
  if (at > newest && mark === '') throw new HttpError(400, messages.serialAhead(at, newest));
  const isNeeded = at === newest || (mark !== '' && at < newest);
  const known = isNeeded ? await changeLog.markAt(source, at, signal).catch(() => '') : '';
  const isTakenBack = mark !== '' && (at > newest || (known !== '' && known !== mark));
  if (isTakenBack) throw new HttpError(410, messages.changeTakenBack(at));
  if (at === newest) return { serial: at, mark: known };
  const { isLost } = await changeLog.after(source, at, { signal, ms: 0 });
  if (isLost) throw new HttpError(410, messages.changesRemoved(at));
  return { serial: at, mark: known };
}

function positionOf({ headers, query: { after } }: ChangesRequest): Position | undefined {
  const [text] = [headers['last-event-id']].flat();
  const sent = text === undefined || text === '' ? after : text;
  if (sent === '') return undefined;
  const [, digits = '', mark = ''] = /^(\d+)(?:-([0-9a-z]{1,12}))?$/.exec(sent) ?? [];
  const serial = parseSerial(digits);
  if (serial === undefined) throw new HttpError(400, messages.invalidPosition(sent));
  return { serial, mark };
}

function payloadOf(text: string) {
  const payload = payloads.find((name) => name === (text || 'keys'));
  if (payload !== undefined) return payload;
  throw new HttpError(400, messages.invalidValue(text, 'payload', payloads.join(' or ')));
}
