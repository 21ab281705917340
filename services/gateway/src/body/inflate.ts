import { promisify } from 'node:util';
import { unzip } from 'node:zlib';
import { Refusal } from '../errors.js';
import { messages } from '../messages.js';

const unzipped = promisify(unzip);
const compressions: ReadonlySet<string> = new Set(['gzip', 'x-gzip', 'deflate']);
const offered = { 'accept-encoding': 'gzip, deflate, identity' };

/** Whether a body is compressed. Throws a Refusal (415) for an encoding that is not known, or for several. */
export function isCompressed(contentEncoding: string | undefined): boolean {
  const encoding = (contentEncoding ?? '').trim().toLowerCase();
  if (encoding === '' || encoding === 'identity') return false;
  if (compressions.has(encoding)) return true;
  throw new Refusal(415, messages.unsupportedEncoding(encoding), offered);
}

/**
 * What was compressed, by gzip or zlib (RFC 9110 section 8.4.1). Throws a Refusal: 413 as soon as it would be larger
 * than `limit`, 400 when it is damaged.
 */
export async function inflate(bytes: Buffer, limit: number): Promise<Buffer> {
  try {
    return await unzipped(bytes, { maxOutputLength: limit });
  } catch (error) {
    const isTooLarge = (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE';
    throw isTooLarge ? new Refusal(413, messages.bodyTooLarge(limit)) : new Refusal(400, messages.damagedBody());
  }
}
