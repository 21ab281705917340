import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import type { BodyAllowance } from '../body/budget.js';
import { decodeBody, mediaTypeOf } from '../body/content-type.js';
import { readJsonObject, textsOf } from '../body/json-object.js';
import { readBody } from '../body/read.js';
import { HttpError } from '../errors.js';
import { messages } from '../ripe-messages.js';

/** Bytes of a list: ten thousand of the longest IPv6 prefixes fit, as JSON too. */
const maxBytes = 512 * 1024;

/**
 * Reads a list of texts: those of `resources` in a JSON object, or the lines of a text, without empty ones and without
 * comments (`#`). Throws an HttpError: 415 for the media type, 413 for the size, 400 for an empty or too long list.
 */
export async function readResourceList(
  stream: Readable,
  headers: IncomingHttpHeaders,
  allowance: BodyAllowance,
  max: number,
): Promise<string[]> {
  const { type, charset } = mediaTypeOf(headers['content-type'] ?? '');
  const listed =
    type.toLowerCase() === 'application/json'
      ? textsOf(
          'resources',
          (await readJsonObject(stream, headers, allowance, { maxBytes, members: ['resources'] })).resources,
        )
      : linesOf(decodeBody(await readText(stream, headers, { ...allowance, max: maxBytes }, type), { charset }));
  if (listed.length === 0) throw new HttpError(400, messages.resourcesExpected());
  if (listed.length > max) throw new HttpError(400, messages.tooManyResources(max));
  return listed;
}

async function readText(
  stream: Readable,
  headers: IncomingHttpHeaders,
  allowance: BodyAllowance,
  type: string,
): Promise<Buffer> {
  if (type === '') throw new HttpError(415, messages.contentTypeMissing());
  if (type.toLowerCase() !== 'text/plain') throw new HttpError(415, messages.unsupportedListType(type));
  return readBody(stream, headers, allowance);
}

function linesOf(text: string): string[] {
  const lines = text.split(/\r\n|\n|\r/).map((line) => line.replace(/#.*$/, '').trim());
  return lines.filter((line) => line !== '');
}
