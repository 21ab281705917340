import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { PassThrough, type Readable } from 'node:stream';
import { promisify } from 'node:util';
import { constants, crc32, deflateRaw } from 'node:zlib';

/*
 * A file of many blocks, each compressed only once for all files that contain it. The file is one gzip member (RFC
 * 1952), because some readers stop after the first one: blocks of deflate (RFC 1951), of which none is the last, a last
 * one without content, and the checksum of the whole text.
 */

const deflated = promisify(deflateRaw);
const start = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff]);
const lastBlock = Buffer.from([3, 0]);

/** A part of the text of files. */
export interface Block {
  readonly text: Buffer;
  /** The compressed form, between other blocks. */
  readonly packed: Buffer;
}

/** Compresses a text, in another thread. */
export async function packBlock(text: Buffer): Promise<Block> {
  return { text, packed: await deflated(text, { finishFlush: constants.Z_FULL_FLUSH }) };
}

/** A gzip file in progress. */
export type PackedFile = ReturnType<typeof packedFile>;

/** Begins a file; `store` gets its bytes. */
export function packedFile(store: (content: Readable) => Promise<unknown>) {
  const content = new PassThrough({ highWaterMark: 1 << 20 });
  const stored = store(content);
  stored.catch((error) => content.destroy(error instanceof Error ? error : undefined));
  content.on('error', () => {}); // the error of `stored`
  const hash = createHash('sha256');
  let check = 0;
  let length = 0;

  async function send(bytes: Buffer): Promise<void> {
    hash.update(bytes);
    if (content.destroyed) await stored;
    if (!content.write(bytes)) await Promise.race([once(content, 'drain'), stored]);
  }

  const begun = send(start);
  begun.catch(() => {}); // awaited below
  return {
    /** Waits while the store is slow. Throws what the store throws. */
    async add({ text, packed }: Block): Promise<void> {
      await begun;
      check = crc32(text, check);
      length += text.length;
      await send(packed);
    },
    /** Ends the file and returns its SHA-256 (hexadecimal) when readers can see it. */
    async end(): Promise<string> {
      await begun;
      const trailer = Buffer.alloc(8);
      trailer.writeUInt32LE(check, 0);
      trailer.writeUInt32LE(length % 2 ** 32, 4);
      await send(Buffer.concat([lastBlock, trailer]));
      content.end();
      await stored;
      return hash.digest('hex');
    },
  };
}
