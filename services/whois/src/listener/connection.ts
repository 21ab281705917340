import type { Socket } from 'node:net';
import { networksOf } from '@cadastre/limits';
import type { AnswerMemory, LoopTurns, MemoryShare } from '@cadastre/service';
import {
  type Connection,
  type ConnectionState,
  type Dialect,
  type EndlessBody,
  type Idle,
  type Notices,
  nothing,
} from '../dialect.js';
import { turnMs } from '../turns.js';
import { createLineReader, maxLineBytes, tooLong } from './lines.js';
import { createWriter, smallBytes, type Writer } from './writer.js';

export interface ConnectionOptions {
  readonly dialect: Dialect;
  readonly turns: LoopTurns;
  readonly notices: Notices;
  /** The state of a new connection. */
  readonly initial: ConnectionState;
  /** Address of the client. */
  readonly client: string;
  /** The identifier of the client in `memory`. */
  readonly clientId: string;
  /** Memory of what clients have not read, and of lines that wait. */
  readonly memory: AnswerMemory;
  /** Bytes that were read of it before. */
  readonly received?: Buffer;
  /** Whether another process serves the connection from this line on; default: none. */
  handsOver?(line: string): boolean;
  /** Maximum time for the client to read the sent bytes, in milliseconds. */
  readonly writeTimeoutMs: number;
  /** Aborted when the service stops: the connection ends after the current answer. */
  readonly stopping: AbortSignal;
  /** Called when the client read too slowly, which closes the connection. */
  onTooSlow(): void;
  /** Called when an answer failed, which closes the connection. */
  onFault(error: unknown): void;
}

/** A connection that another process serves from now on. */
export interface Remainder {
  /** Bytes that were read and not answered. */
  readonly received: Buffer;
  readonly staysOpen: boolean;
}

/**
 * Closing a connection before the client has read its last answer would destroy that answer if the client sends more.
 */
const lingerMs = 2_000;

/**
 * Answers the lines of a client, in their order, until one of both ends the connection; or until a line that another
 * process answers: then the client has all answers before it, and this process no longer reads the socket.
 */
export async function serveConnection(socket: Socket, o: ConnectionOptions): Promise<Remainder | undefined> {
  const gone = new AbortController();
  socket.once('close', () => gone.abort());
  // A broken connection ends like others.
  socket.on('error', () => {});
  const giveUp = () => {
    o.onTooSlow();
    socket.destroy();
  };
  const writer = createWriter(socket, { ...o, client: o.clientId, giveUp });
  try {
    const { prefix: network } = networksOf(o.client);
    const last = new AbortController();
    const endAfterAnswer = () => last.abort();
    const connection = { client: o.client, network, signal: gone.signal, giveUp, endAfterAnswer };
    const remainder = await answerLines(socket, writer, connection, last.signal, o);
    if (remainder !== undefined) {
      await writer.finish();
      return remainder;
    }
  } catch (error) {
    if (!socket.destroyed) o.onFault(error);
  }
  // Sends the complete answers before one that failed.
  await writer.flush().then(
    () => linger(socket),
    () => socket.destroy(),
  );
  return undefined;
}

async function answerLines(
  socket: Socket,
  writer: Writer,
  connection: Connection,
  last: AbortSignal,
  o: ConnectionOptions,
): Promise<Remainder | undefined> {
  const chunks: AsyncIterator<Buffer> = socket.iterator({ destroyOnReturn: false });
  const lines = createLineReader();
  const silence = createSilence(o.initial.idle);
  let state = o.initial;
  let { received } = o;
  let began = performance.now();
  /** The memory of the lines that wait. */
  let waiting: MemoryShare | undefined;
  let waitingBytes = 0;
  let noteProgress = (_bytes: number) => {};
  const count = (bytes: number) => {
    waiting?.release();
    waiting = bytes > smallBytes ? o.memory.take(o.clientId, bytes) : undefined;
    waitingBytes = bytes;
    noteProgress = waiting?.readUntil(connection.giveUp) ?? (() => {});
  };
  const letOthersGoOn = async () => {
    if (performance.now() - began <= turnMs) return;
    await writer.flush();
    await o.turns.next(connection.network);
    began = performance.now();
  };
  try {
    for (;;) {
      const chunk = received ?? (await nextChunk(chunks, silence, o.stopping));
      received = undefined;
      began = performance.now();
      if (chunk === 'silent') return void (await writer.add(state.idle.farewell ?? nothing));
      if (chunk === 'stopping') return undefined;
      // Without a line end, the rest is the last line of a client that has closed its side.
      const isEnd = chunk === 'end';
      if (isEnd) lines.end();
      else lines.add(chunk);
      const { length } = chunk;
      count(length);
      let hasSpoken = false;
      for (let line = lines.next(); line !== undefined; line = lines.next()) {
        // While a line waits, Node.js reads further ones.
        if (length + socket.readableLength > waitingBytes + smallBytes) count(length + socket.readableLength);
        if (line === tooLong) return void (await writer.add(o.notices.lineTooLong(maxLineBytes)));
        // Lines of blanks do not keep the connection open.
        if (line.trim() !== '') hasSpoken = true;
        else if (!hasSpoken && silence.isOver()) return void (await writer.add(state.idle.farewell ?? nothing));
        if (o.handsOver?.(line)) {
          await chunks.return?.();
          return { received: lines.unread(), staysOpen: state.staysOpen };
        }
        const answered = o.dialect(line, state, connection);
        const answer = answered instanceof Promise ? (await Promise.all([answered, writer.flush()]))[0] : answered;
        state = answer.state;
        noteProgress(line.length + 1);
        if (Buffer.isBuffer(answer.body)) {
          await writer.add(answer.body);
          noteProgress(answer.body.length);
        } else if ('open' in answer.body)
          return void (await sendEndless(answer.body, chunks, writer, connection.signal, o.stopping));
        else {
          for await (const piece of answer.body) {
            await writer.add(piece);
            noteProgress(piece.length);
            await letOthersGoOn();
          }
        }
        if (!state.staysOpen || last.aborted || o.stopping.aborted) return undefined;
        await letOthersGoOn();
      }
      await writer.flush();
      if (isEnd) return undefined;
      if (hasSpoken) silence.restart(state.idle);
    }
  } finally {
    silence.end();
    waiting?.release();
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
  // A broken connection is at its end, too.
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

/** The next bytes of the client; or why there are none. A broken connection is at its end. */
async function nextChunk(
  chunks: AsyncIterator<Buffer>,
  silence: Silence,
  stopping: AbortSignal,
): Promise<Buffer | 'end' | 'silent' | 'stopping'> {
  if (stopping.aborted) return 'stopping';
  const { promise: interrupted, resolve: interrupt } = Promise.withResolvers<'silent' | 'stopping'>();
  const stop = () => interrupt('stopping');
  silence.whenOver(() => interrupt('silent'));
  stopping.addEventListener('abort', stop);
  const arrived = chunks.next().then(
    ({ done, value }) => (done ? 'end' : value),
    () => 'end' as const,
  );
  return Promise.race([arrived, interrupted]).finally(() => stopping.removeEventListener('abort', stop));
}

/** Closes a connection once the client has read everything. */
export function linger(socket: Socket): void {
  socket.end();
  socket.resume();
  const timer = setTimeout(() => socket.destroy(), lingerMs);
  socket.once('close', () => clearTimeout(timer));
}

/** The time since a client sent its last line. */
type Silence = ReturnType<typeof createSilence>;

/**
 * Begins it. Only a complete line ends it, however many bytes come: a byte now and then does not keep the connection
 * open.
 */
function createSilence(idle: Idle) {
  let isOver = false;
  let then = () => {};
  const begin = ({ ms }: Idle) => {
    isOver = false;
    return setTimeout(() => {
      isOver = true;
      then();
    }, ms);
  };
  let timer = begin(idle);
  return {
    /** Whether it has reached its maximum. */
    isOver: (): boolean => isOver,
    /** Calls once when it has, immediately if it has already; only the last call counts. */
    whenOver(call: () => void): void {
      then = call;
      if (isOver) call();
    },
    /** The client has sent a line. */
    restart(next: Idle): void {
      clearTimeout(timer);
      then = () => {};
      timer = begin(next);
    },
    end: (): void => clearTimeout(timer),
  };
}
