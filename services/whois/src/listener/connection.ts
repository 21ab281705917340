import type { Socket } from 'node:net';
import { type ConnectionState, type Dialect, type EndlessBody, type Notices, nothing } from '../dialect.js';
import type { Idle } from '../idle.js';
import { type Turns, turnMs } from '../turns.js';
import { mostLineBytes, splitLines } from './lines.js';
import { createWriter, type Writer } from './writer.js';

export interface ConnectionOptions {
  readonly dialect: Dialect;
  readonly turns: Turns;
  readonly notices: Notices;
  /** The state of a new connection. */
  readonly initial: ConnectionState;
  /** Address of the client. */
  readonly client: string;
  /** How long a client may take to read what it got, in milliseconds. */
  readonly writeTimeoutMs: number;
  /** Aborted when the service stops: the connection ends after the answer that is being sent. */
  readonly stopping: AbortSignal;
  /** An answer failed, which closes the connection. */
  onFault(error: unknown): void;
}

/** Closing a connection before the client has read its last answer would destroy that answer, when the client sends more. */
const lingerMs = 2_000;
const lineEnd = Buffer.from('\n');

/** Answers the lines of a client, in their order, until one of both ends the connection. */
export async function serveConnection(socket: Socket, o: ConnectionOptions): Promise<void> {
  const gone = new AbortController();
  socket.once('close', () => gone.abort());
  // A connection that breaks ends as others do.
  socket.on('error', () => {});
  const writer = createWriter(socket, o.writeTimeoutMs);
  try {
    await answerLines(socket, writer, gone.signal, o);
  } catch (error) {
    if (!socket.destroyed) o.onFault(error);
  }
  // Answers before one that failed are whole.
  await writer.flush().then(
    () => linger(socket),
    () => socket.destroy(),
  );
}

async function answerLines(socket: Socket, writer: Writer, signal: AbortSignal, o: ConnectionOptions): Promise<void> {
  const chunks: AsyncIterator<Buffer> = socket.iterator({ destroyOnReturn: false });
  const connection = { client: o.client, signal };
  let state = o.initial;
  let rest: Buffer = nothing;
  let began = performance.now();
  const letOthersGoOn = async () => {
    if (performance.now() - began <= turnMs) return;
    await writer.flush();
    await o.turns.next();
    began = performance.now();
  };
  for (;;) {
    const chunk = await nextChunk(chunks, state.idle, o.stopping);
    began = performance.now();
    if (chunk === 'silent') return writer.add(state.idle.farewell ?? nothing);
    if (chunk === 'stopping') return;
    // Without a line end, what is left is the last line of a client that has closed its side.
    const isEnd = chunk === 'end';
    const last = isEnd && rest.length > 0 ? lineEnd : nothing;
    const received = splitLines(Buffer.concat([rest, isEnd ? last : chunk]));
    for (const line of received.lines) {
      const answered = o.dialect(line, state, connection);
      const answer = answered instanceof Promise ? (await Promise.all([answered, writer.flush()]))[0] : answered;
      state = answer.state;
      if (Buffer.isBuffer(answer.body)) await writer.add(answer.body);
      else if ('open' in answer.body) return sendEndless(answer.body, chunks, writer, signal, o.stopping);
      else {
        for await (const piece of answer.body) {
          await writer.add(piece);
          await letOthersGoOn();
        }
      }
      if (!state.staysOpen || o.stopping.aborted) return;
      await letOthersGoOn();
    }
    if (received.isTooLong) return writer.add(o.notices.lineTooLong(mostLineBytes));
    await writer.flush();
    if (isEnd) return;
    rest = received.rest;
  }
}

/** Sends an answer until the client closes its side or the service stops. */
async function sendEndless(
  body: EndlessBody,
  chunks: AsyncIterator<Buffer>,
  writer: Writer,
  signal: AbortSignal,
  stopping: AbortSignal,
): Promise<void> {
  const ended = new AbortController();
  // A connection that breaks is at its end, too.
  dropInput(chunks).then(
    () => ended.abort(),
    () => ended.abort(),
  );
  for await (const piece of body.open(AbortSignal.any([signal, stopping, ended.signal]))) {
    await writer.add(piece);
    await writer.flush();
  }
}

async function dropInput(chunks: AsyncIterator<Buffer>): Promise<void> {
  for (let { done } = await chunks.next(); !done; { done } = await chunks.next());
}

/** What the client sends next; or why nothing comes. A connection that broke is at its end. */
async function nextChunk(
  chunks: AsyncIterator<Buffer>,
  { ms }: Idle,
  stopping: AbortSignal,
): Promise<Buffer | 'end' | 'silent' | 'stopping'> {
  if (stopping.aborted) return 'stopping';
  const { promise: interrupted, resolve: interrupt } = Promise.withResolvers<'silent' | 'stopping'>();
  const stop = () => interrupt('stopping');
  const timer = setTimeout(interrupt, ms, 'silent');
  stopping.addEventListener('abort', stop);
  const arrived = chunks.next().then(
    ({ done, value }) => (done ? 'end' : value),
    () => 'end' as const,
  );
  return Promise.race([arrived, interrupted]).finally(() => {
    clearTimeout(timer);
    stopping.removeEventListener('abort', stop);
  });
}

/** Closes a connection once the client has read everything. */
function linger(socket: Socket): void {
  socket.end();
  socket.resume();
  const timer = setTimeout(() => socket.destroy(), lingerMs);
  socket.once('close', () => clearTimeout(timer));
}
