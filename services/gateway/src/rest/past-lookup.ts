import { LookupStatus, type PastLookupAnswer } from '@cadastre/proto/objects';
import { asciiUpperCase } from '@cadastre/rpsl';
import type { FastifyReply } from 'fastify';
import { shortCall } from '../backends/call-options.js';
import type { Context } from '../context.js';
import { plainFound } from '../documents/render.js';
import { secondText } from '../documents/whois-resources.js';
import { HttpError } from '../errors.js';
import { readInTurn } from '../limits/costly-reads.js';
import { countIfPersonal } from '../limits/personal-objects.js';
import type { FlagParameter } from '../parameters.js';
import type { RouteReply } from '../reply/send.js';
import { messages } from '../ripe-messages.js';
import type { RouteRequest } from '../route.js';
import type { annotationQuery } from './annotations.js';
import type { asOfQuery, RequestedMoment } from './as-of.js';
import { mementoHeaders, versionUrl } from './memento.js';
import { addressedObject, inPart, type ObjectParameters, objectKeyOf, requireObjectName } from './object-address.js';
import { objectBody } from './object-body.js';

type LookupQuery = typeof asOfQuery & typeof annotationQuery & Record<'unfiltered' | 'unformatted', FlagParameter>;
type PastRequest = RouteRequest<ObjectParameters, LookupQuery>;

/** Handles a lookup of a moment of the past. Never cached: the feed would not remove erased texts. */
export async function lookUpPast(
  context: Context,
  request: PastRequest,
  { moment, nearest }: RequestedMoment,
  reply: FastifyReply,
): Promise<RouteReply> {
  await requireObjectName(context, request);
  const ofToday = namesOfToday.find((name) => request.query[name]);
  if (ofToday !== undefined) throw new HttpError(400, messages.notInThePast(ofToday));
  const lookup = { key: objectKeyOf(request), moment, nearest };
  const client = request.limitedClient.id;
  // Rendered in the turn of the client as well, so that it has paid when the next one begins.
  return readInTurn(context, request, reply, async (signal) => {
    const call = { ...shortCall(context, request), signal };
    const answer = await inPart(context, lookup, async (one) => {
      const { answers } = await context.reader.batchLookupPast({ lookups: [one], client }, call);
      return answers[0]!;
    });
    refuseAbsence(request, answer);
    const found = addressedObject(context, request, answer);
    const tooMany = await countIfPersonal(context, request, found);
    if (tooMany) throw tooMany;
    const headers = {
      ...mementoHeaders(request, found),
      'content-location': versionUrl(request, found.revision),
      'cadastre-serial': String(answer.serial),
    };
    const content = await objectBody(context, request, reply, [plainFound(found)], { asVersion: true });
    return { status: 200, headers, content };
  });
}

/**
 * Parameters without a meaning in the past: versions are filtered for every caller, and annotations describe the
 * present.
 */
const namesOfToday = ['unfiltered', 'managed-attributes', 'resource-holder', 'abuse-contact'] as const;

/** Throws an HttpError (400, 404, 410) for the outcomes that only the past has. */
function refuseAbsence({ query, params }: PastRequest, { status, serial, deleted }: PastLookupAnswer): void {
  const source = asciiUpperCase(params.source);
  switch (status) {
    case LookupStatus.LOOKUP_STATUS_DELETED:
      throw new HttpError(404, [messages.noEntries(source), messages.deletedBefore(secondText(deleted))]);
    case LookupStatus.LOOKUP_STATUS_AHEAD: {
      const requested = query['as-of'];
      const isSerial = /^\d+$/.test(requested);
      throw new HttpError(400, isSerial ? messages.serialAhead(BigInt(requested), serial) : messages.inTheFuture());
    }
    case LookupStatus.LOOKUP_STATUS_FORGOTTEN:
      throw new HttpError(410, messages.forgotten(source));
    case LookupStatus.LOOKUP_STATUS_ERASED:
      throw new HttpError(410, messages.erased());
  }
}
