import type { IncomingMessage } from 'node:http';
import { Refusal } from '../errors.js';
import { messages } from '../messages.js';
import { inflate, isCompressed } from './inflate.js';

/**
 * The bytes of a body, inflated when it is compressed. Throws a Refusal: 415 for an unknown compression, 413 when it
 * is larger than `limit` before or after, 400 when it is damaged or ends early.
 */
export async function readBody(request: IncomingMessage, limit: number): Promise<Buffer> {
  const compressed = isCompressed(request.headers['content-encoding']);
  const bytes = await readBytes(request, limit);
  return compressed ? inflate(bytes, limit) : bytes;
}

async function readBytes(request: IncomingMessage, limit: number): Promise<Buffer> {
  if (Number(request.headers['content-length'] ?? 0) > limit) throw tooLarge(limit);
  const chunks: Buffer[] = [];
  let size = 0;
  return new Promise((resolve, reject) => {
    const stop = (refusal: Refusal) => {
      request.pause();
      request.removeAllListeners('data');
      reject(refusal);
    };
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > limit) stop(tooLarge(limit));
      else chunks.push(chunk);
    });
    request.on('end', () => resolve(Buffer.concat(chunks)));
    request.on('error', () => stop(new Refusal(400, messages.bodyIncomplete())));
    request.on('close', () => stop(new Refusal(400, messages.bodyIncomplete())));
  });
}

/** The rest of the body is not read, so the connection cannot be used again. */
function tooLarge(limit: number): Refusal {
  return new Refusal(413, messages.bodyTooLarge(limit), { connection: 'close' });
}
