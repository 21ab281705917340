// /bulk-lookup

import { ref } from '@cadastre/rdap/schema';
import { formatMessage } from '@cadastre/service';
import type { FastifyReply } from 'fastify';
import type { DescribeCall } from '../backends/resource-describer.js';
import { decodeBody, mediaTypeOf } from '../body/content-type.js';
import { readJsonObject, textsOf } from '../body/json-object.js';
import { readBody, type SentBody } from '../body/read.js';
import type { Context } from '../context.js';
import {
  type DescribedResource,
  type DescriptionType,
  descriptionTypes,
  renderDescriptions,
} from '../documents/resource-descriptions.js';
import { clientLeft, HttpError, httpErrorOf } from '../errors.js';
import { countBulkResources } from '../limits/exceeded.js';
import { acceptedType } from '../reply/negotiate.js';
import { clientGone, endWhenStalled, whenReplyEnds } from '../reply/reply-end.js';
import type { RouteReply } from '../reply/send.js';
import { messages } from '../ripe-messages.js';
import type { Resource, Route, RouteRequest } from '../route.js';

/** Maximum resources of one request. */
const maxResources = 10_000;
/** Resources of one call. */
const batchSize = 250;

const example = ['192.0.2.77', '2001:db8::/48', 'AS64500'];

/** POST of resources to describe. */
const bulkLookup: Route = {
  id: 'lookUpResources',
  tag: 'Resources',
  summary: 'Look up many resources',
  doc: 'Returns network, holder, country, abuse contact and routes of up to 10,000 addresses, prefixes, ranges and AS numbers, in the order of the request. `Accept` selects the format: JSON (default), a JSON object in each line (`application/x-ndjson`), or CSV. A resource that cannot be looked up has an `error`. The registry sends the response during its creation. In CSV an apostrophe precedes a text that a spreadsheet would execute as a formula.',
  query: {},
  body: {
    doc: 'The resources: in JSON, or one per line. At most 512 KiB.',
    content: {
      'application/json': { schema: ref('ResourceList'), example: { resources: example } },
      'text/plain': { schema: { type: 'string' }, example: `${example.join('\n')}\n` },
    },
  },
  success: {
    doc: 'The description of each resource.',
    content: {
      'application/json': { schema: ref('ResourceDescriptions') },
      'application/x-ndjson': { schema: { type: 'string' } },
      'text/csv': { schema: { type: 'string' } },
    },
  },
  credentials: 'optional',
  isQuestion: true,
  showsObjects: true,
  handler: lookUpResources,
};

export const bulkLookupResource: Resource = {
  name: 'bulk-lookup',
  url: '/bulk-lookup',
  format: 'rows',
  load: 'search',
  POST: bulkLookup,
};

/** The first batch decides the status; the others follow as the client reads. */
async function lookUpResources(context: Context, request: RouteRequest, reply: FastifyReply): Promise<RouteReply> {
  const { headers, limitedClient } = request;
  const type = typeOf(headers.accept);
  const max = Math.min(maxResources, limitedClient.limits['bulk-resources']);
  const resources = await readResourceList(request, max);
  countBulkResources(context, request, resources.length);
  holdUntilEnd(context, request, reply, resources);
  const gone = clientGone(reply);
  const call = { signal: gone, requestId: request.id };
  const first = await context.describeResources(resources.slice(0, batchSize), call).catch((error: unknown) => {
    throw gone.aborted ? clientLeft() : error;
  });
  endWhenStalled(request.raw, context.settings.stallTimeout);
  const batches = describe(context, limitedClient.id, { first, rest: resources.slice(batchSize) }, call);
  const contentType = type === 'text/csv' ? 'text/csv;charset=utf-8' : type;
  return {
    status: 200,
    headers: { 'content-type': contentType },
    content: renderDescriptions(type, batches),
  };
}

/** The list remains in memory after the body was read. */
function holdUntilEnd(
  { bodyBudget }: Context,
  { limitedClient }: RouteRequest,
  reply: FastifyReply,
  resources: readonly string[],
): void {
  const characters = resources.reduce((sum, { length }) => sum + length, 0);
  const held = bodyBudget.open(limitedClient.id, characters);
  held.take(characters);
  whenReplyEnds(reply, () => held.end());
}

function typeOf(accept = ''): DescriptionType {
  const type = acceptedType(descriptionTypes, accept);
  if (type === undefined) throw new HttpError(415, messages.unsupportedRows(accept));
  return type;
}

/** After a failure, does not request the rest: each of its resources reports the failure. */
async function* describe(
  { describeResources, pageTurn, logger }: Context,
  client: string,
  { first, rest }: { readonly first: DescribedResource[]; readonly rest: readonly string[] },
  call: DescribeCall,
): AsyncGenerator<readonly DescribedResource[]> {
  yield first;
  let failure: string | undefined;
  for (let at = 0; at < rest.length && !call.signal.aborted; at += batchSize) {
    const batch = rest.slice(at, at + batchSize);
    await pageTurn(client);
    const described =
      failure === undefined &&
      (await describeResources(batch, call).catch((error: unknown) => {
        if (!call.signal.aborted) logger.warn({ requestId: call.requestId, err: error }, 'bulk lookup aborted');
        failure = httpErrorOf(error).messages.map(formatMessage).join('\n');
        return undefined;
      }));
    yield described || batch.map((resource) => ({ resource, routes: [], error: failure! }));
  }
}

/** Bytes of a list: enough for ten thousand of the longest IPv6 prefixes, also in JSON. */
const maxBytes = 512 * 1024;

/**
 * Reads a list of texts: those of `resources` in a JSON object, or the lines of a text, without empty ones and without
 * comments (`#`). Throws an HttpError: 415 for the media type, 413 for the size, 400 for an empty or too long list.
 */
async function readResourceList(request: SentBody, max: number): Promise<string[]> {
  const { type, charset } = mediaTypeOf(request.headers['content-type'] ?? '');
  const listed =
    type.toLowerCase() === 'application/json'
      ? textsOf('resources', (await readJsonObject(request, { maxBytes, members: ['resources'] })).resources)
      : linesOf(decodeBody(await readText(request, type), { charset }));
  if (listed.length === 0) throw new HttpError(400, messages.resourcesExpected());
  if (listed.length > max) throw new HttpError(400, messages.tooManyResources(max));
  return listed;
}

async function readText(request: SentBody, type: string): Promise<Buffer> {
  if (type === '') throw new HttpError(415, messages.contentTypeMissing());
  if (type.toLowerCase() !== 'text/plain') throw new HttpError(415, messages.unsupportedListType(type));
  return readBody(request, maxBytes);
}

function linesOf(text: string): string[] {
  const lines = text.split(/\r\n|\n|\r/).map((line) => line.replace(/#.*$/, '').trim());
  return lines.filter((line) => line !== '');
}
