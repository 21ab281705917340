import type { IncomingMessage } from 'node:http';
import { Refusal } from '../errors.js';
import { messages } from '../messages.js';

/** The bytes of a body. Throws a Refusal: 413 when it is larger than `limit`, 400 when it ends early. */
export async function readBody(request: IncomingMessage, limit: number): Promise<Buffer> {
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
