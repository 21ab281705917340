import { Readable } from 'node:stream';
import { type MemoryShare, pause } from '@cadastre/service';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '../context.js';
import { httpErrorOf } from '../errors.js';
import { isRead } from '../request-context.js';
import type { Body } from './compress.js';
import { clientGone, whenReplyEnds } from './reply-end.js';

/*
 * One rule for all replies: unread bytes of a client count in the answer memory, and the gateway closes the connection
 * of a client that does not read when others need the memory (ADR 0061).
 */

type Holding = Pick<Context, 'answerMemory' | 'settings'>;

/** Bodies and pieces up to this size do not count: most connections accept them immediately. */
export const smallBytes = 16 * 1024;

/** Number of bytes that a connection gets at a time. */
const chunkBytes = 64 * 1024;

/** How long a stream waits for memory before it retries. */
const retryMs = 100;

/** Reserves memory for a client. Throws an HttpError (503) when none is available, which the log does not report. */
export function takeMemory(
  { answerMemory }: Pick<Holding, 'answerMemory'>,
  client: string,
  bytes: number,
): MemoryShare {
  try {
    return answerMemory.take(client, bytes);
  } catch (error) {
    throw httpErrorOf(error);
  }
}

/**
 * The body with its bytes counted until the client has read them. Of a body in pieces only the piece that the client
 * reads is in memory, and the next one is created afterwards. Throws an HttpError (503) when no memory is available for
 * a successful read: the result of a write is always sent. A stream that has begun waits for memory.
 */
export function heldBody(
  context: Holding,
  request: FastifyRequest,
  reply: FastifyReply,
  status: number,
  body: Body,
): Buffer | Readable {
  // An early refusal has no client yet.
  const { method, limitedClient: { id: client } = {} } = request as Partial<FastifyRequest>;
  if (!Buffer.isBuffer(body)) {
    takeMemory(context, client!, chunkBytes).release();
    return Readable.from(heldPieces(context, client!, reply, body));
  }
  if (body.length <= smallBytes || method === 'HEAD' || client === undefined) return body;
  let share: MemoryShare;
  try {
    share = takeMemory(context, client, body.length);
  } catch (error) {
    if (status === 200 && isRead(request)) throw error;
    return body;
  }
  whenReplyEnds(reply, () => share.release());
  return Readable.from(
    chunksOf(
      body,
      share.readUntil(() => closeReply(reply)),
    ),
  );
}

async function* heldPieces(
  context: Holding,
  client: string,
  reply: FastifyReply,
  pieces: AsyncIterable<string | Buffer>,
): AsyncGenerator<Buffer> {
  const gone = clientGone(reply);
  for await (const piece of pieces) {
    const bytes = typeof piece === 'string' ? Buffer.from(piece) : piece;
    if (bytes.length <= smallBytes) {
      yield bytes;
      continue;
    }
    const share = await takeLater(() => takeMemory(context, client, bytes.length), context.settings.stallTimeout, gone);
    try {
      yield* chunksOf(
        bytes,
        share.readUntil(() => closeReply(reply)),
      );
    } finally {
      share.release();
    }
  }
}

/** Reserves memory when available: slow clients release theirs within seconds. */
async function takeLater(take: () => MemoryShare, waitMs: number, gone: AbortSignal): Promise<MemoryShare> {
  for (const end = performance.now() + waitMs; ; ) {
    try {
      return take();
    } catch (error) {
      if (gone.aborted || performance.now() > end) throw error;
      await pause(retryMs, gone);
    }
  }
}

function* chunksOf(bytes: Buffer, noteRead: (bytes: number) => void): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += chunkBytes) {
    const chunk = bytes.subarray(at, at + chunkBytes);
    yield chunk;
    noteRead(chunk.length);
  }
}

/** Closes the connection; with HTTP/2 only the stream of the reply. */
function closeReply({ raw }: FastifyReply): void {
  raw.destroy();
}
