import type { IncomingMessage } from 'node:http';
import { Refusal } from '../errors.js';
import { messages } from '../messages.js';
import { decodeBody } from './charset.js';
import { readContentType } from './content-type.js';
import { parseJson } from './json.js';
import { readBody } from './read.js';
import type { BodyLimits, BodyObjects } from './whois-resource.js';
import { parseXml } from './xml.js';

const parsers = { xml: parseXml, json: parseJson };

/**
 * Reads the body of a write into the objects that it holds. Throws a Refusal: 415 for the media type, 413 for the
 * size, 400 for everything else.
 */
export async function parseBody(
  request: IncomingMessage,
  limits: BodyLimits & { readonly bytes: number },
): Promise<BodyObjects> {
  const type = readContentType(request.headers['content-type']);
  const text = decodeBody(await readBody(request, limits.bytes), type);
  if (text.trim() === '') throw new Refusal(400, messages.singleObjectExpected(0));
  return parsers[type.format](text, limits);
}
