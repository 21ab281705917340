import { STATUS_CODES } from 'node:http';
import { errorAnswer } from '@cadastre/rdap';
import { formatMessage } from '@cadastre/service';
import type { FastifyRequest } from 'fastify';
import type { Context } from '../context.js';
import type { HttpError } from '../errors.js';
import { registryOf, requestUrl } from './registry.js';

/** The resource of AS numbers. */
const autnumName = 'rdap-autnum';

/**
 * The document of a refusal: every status of a request to RDAP has one, regardless of its origin (RFC 9083 section 6).
 */
export function rdapError(
  context: Pick<Context, 'settings'>,
  request: FastifyRequest,
  { status, messages }: HttpError,
): Buffer {
  const title = STATUS_CODES[status] ?? 'Error';
  const lines = messages.flatMap((message) => formatMessage(message).split('\n')).filter((line) => line.trim() !== '');
  const description = lines.length > 0 ? lines : [title];
  const requested = { url: requestUrl(request) };
  const failure = { status, title, description, isAboutAutnum: request.facts.name === autnumName };
  return Buffer.from(JSON.stringify(errorAnswer(registryOf(context, request), requested, failure)));
}
