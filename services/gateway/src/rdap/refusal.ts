import { STATUS_CODES } from 'node:http';
import { formatMessage } from '@cadastre/service';
import type { FastifyRequest } from 'fastify';
import type { Context } from '../context.js';
import type { HttpError } from '../errors.js';

/** The document of a refusal: every status of a request to RDAP has one, whoever refuses it (RFC 9083 section 6). */
export function rdapError(
  _context: Pick<Context, 'settings'>,
  _request: FastifyRequest,
  { status, messages }: HttpError,
): Buffer {
  const description = messages.map(formatMessage).flatMap((text) => text.split('\n').filter((line) => line !== ''));
  const title = STATUS_CODES[status] ?? 'Error';
  const document = { rdapConformance: ['rdap_level_0'], errorCode: status, title, description, lang: 'en' };
  return Buffer.from(JSON.stringify(document));
}
