import type { FastifyRequest } from 'fastify';
import { Refusal } from '../errors.js';
import type { Locator } from '../locator.js';
import { messages } from '../messages.js';
import type { GatewaySettings } from '../settings.js';

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const controls = /[\0-\x1f\x7f-\x9f]/;

/**
 * Throws a Refusal for a URL that nothing can be meant by: 414 when it is too long, 400 when it is not percent-encoded
 * UTF-8 (RFC 3986 section 2.5) or holds control characters. In the query, white space may stand between words.
 */
export function requireReadableUrl(
  { originalUrl }: FastifyRequest,
  { path, query }: Locator,
  { urlBytes }: Pick<GatewaySettings, 'urlBytes'>,
): void {
  if (originalUrl.length > urlBytes) throw new Refusal(414, messages.urlTooLong(urlBytes));
  if (controls.test(decoded(path)) || controls.test(decoded(query).replace(/[\t\n\r]/g, ' '))) {
    throw new Refusal(400, messages.controlInUrl());
  }
}

function decoded(text: string): string {
  if (/[^\0-\x7f]/.test(text)) throw new Refusal(400, messages.malformedUrl());
  try {
    return text.includes('%') ? decodeURIComponent(text) : text;
  } catch {
    throw new Refusal(400, messages.malformedUrl());
  }
}
