import type { FastifyRequest } from 'fastify';
import type { CachedResponse } from '../backends/lookup-cache.js';
import type { Context } from '../context.js';
import { preferredCoding } from './compress.js';
import { acceptedEncodings } from './headers.js';

/** Compresses the body of a reply for all anonymous clients once, if the client accepts that. */
export async function compressedOnce(
  { compressor }: Pick<Context, 'compressor'>,
  request: FastifyRequest,
  body: Buffer,
): Promise<Pick<CachedResponse, 'content' | 'coding'>> {
  const coding = compressor.codingFor(body, acceptedEncodings(request));
  return { content: coding ? await compressor.compress(body, coding) : body, coding };
}

/** The key of a reply in the cache. Anonymous requests with the same key get the same reply. */
export function cacheKeyOf(request: FastifyRequest): string {
  const coding = preferredCoding(acceptedEncodings(request));
  return `${request.format} ${coding} ${request.base} ${request.originalUrl}`;
}
