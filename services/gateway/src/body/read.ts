import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { unzip } from 'node:zlib';
import { HttpError } from '../errors.js';
import { messages } from '../ripe-messages.js';
import type { BodyAllowance } from './budget.js';
import { decodeBody, readContentType } from './content-type.js';
import { parseJson } from './json.js';
import { type BodyLimits, type BodyObjects, requireFewLines } from './whois-resources.js';
import { parseXml } from './xml.js';

const parsers = { xml: parseXml, json: parseJson };

/** A request with a body. */
export interface SentBody {
  readonly raw: Readable;
  readonly headers: IncomingHttpHeaders;
  readonly bodyAllowance: BodyAllowance;
}

/**
 * Reads whois-resources, in XML or JSON; an empty body has no objects. Throws an HttpError: 415 for the media type,
 * otherwise as `readBody`, or 400 for an invalid document or one that exceeds the limits.
 */
export async function readWhoisResources(request: SentBody, limits: BodyLimits): Promise<BodyObjects> {
  const type = readContentType(request.headers['content-type']);
  const text = decodeBody(await readBody(request), type);
  if (text.trim() === '') return [];
  const objects = await parsers[type.format](text, limits);
  requireFewLines(objects, limits);
  return objects;
}

/** The maximum ratio of inflated to compressed bytes (RFC 1951). */
const highestRatio = 1032;

/**
 * Reads a body and inflates it if it is compressed. Throws an HttpError: 415 for an unknown compression, 413 when the
 * body is too large before or after inflation, 503 when the budget for bodies is used up, 400 when it is damaged or
 * ends early.
 */
export async function readBody(
  { raw, headers, bodyAllowance: allowance }: SentBody,
  max = allowance.max,
): Promise<Buffer> {
  const compressed = isCompressed(headers['content-encoding']);
  if (Number(headers['content-length'] ?? 0) > max) throw tooLarge(max);
  const bytes = await readBytes(raw, allowance, max);
  if (!compressed) return bytes;
  const reserved = Math.min(max, bytes.length * highestRatio);
  allowance.take(reserved);
  const inflated = await inflate(bytes, max);
  allowance.giveBack(reserved - inflated.length);
  return inflated;
}

function readBytes(stream: Readable, allowance: BodyAllowance, max: number): Promise<Buffer> {
  let chunks: Buffer[] = [];
  let size = 0;
  return new Promise((resolve, reject) => {
    const stop = (refusal: unknown) => {
      stream.pause();
      stream.removeAllListeners('data');
      chunks = [];
      allowance.end();
      reject(refusal);
    };
    stream.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > max) return stop(tooLarge(max));
      try {
        allowance.take(chunk.length);
      } catch (refusal) {
        return stop(refusal);
      }
      chunks.push(chunk);
    });
    stream.on('end', () => {
      resolve(Buffer.concat(chunks));
      chunks = [];
    });
    const stopEarly = () => {
      if (!stream.readableEnded) stop(new HttpError(400, messages.bodyIncomplete()));
    };
    stream.on('error', stopEarly);
    stream.on('close', stopEarly);
  });
}

/** Closes the connection, because the rest of the body remains unread. */
function tooLarge(limit: number): HttpError {
  return new HttpError(413, messages.bodyTooLarge(limit), { connection: 'close' });
}

const compressions: ReadonlySet<string> = new Set(['gzip', 'x-gzip', 'deflate']);
const offered = { 'accept-encoding': 'gzip, deflate, identity' };

function isCompressed(contentEncoding: string | undefined): boolean {
  const encoding = (contentEncoding ?? '').trim().toLowerCase();
  if (encoding === '' || encoding === 'identity') return false;
  if (compressions.has(encoding)) return true;
  throw new HttpError(415, messages.unsupportedEncoding(encoding), offered);
}

const unzipped = promisify(unzip);

/** Inflates gzip or zlib (RFC 9110 section 8.4.1). Stops as soon as the output exceeds `limit`. */
async function inflate(bytes: Buffer, limit: number): Promise<Buffer> {
  try {
    return await unzipped(bytes, { maxOutputLength: limit });
  } catch (error) {
    const isTooLarge = (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE';
    throw isTooLarge ? new HttpError(413, messages.bodyTooLarge(limit)) : new HttpError(400, messages.damagedBody());
  }
}
