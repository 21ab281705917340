import { type ChangeEvent, type ChangeFilter, changeId, markOf, operationOf } from '@cadastre/changes';
import { pause } from '@cadastre/service';
import type { Context } from '../context.js';

/** A place in the changes of a source. */
export interface Position {
  readonly serial: bigint;
  /** Of the change with this serial; empty when it is not known. */
  readonly mark: string;
}

/** The stream that a client requests. */
interface StreamOptions {
  /** Name of the source in upper case. */
  readonly source: string;
  readonly after: Position;
  readonly filter: ChangeFilter;
  readonly withObjects: boolean;
  /** Base of links, without a final slash. */
  readonly base: string;
  /** Ends the stream: the client has disconnected, or the gateway stops. */
  readonly signal: AbortSignal;
  /** Whether the client has been blocked since the stream began. */
  isBlocked(): boolean;
  /** Charges the client for the objects of a piece, in characters. */
  charge(characters: number): void;
  /** Milliseconds until the client may get further objects; 0: now. */
  untilAffordable(): number;
  /** Closes the connection of a client that reads nothing. */
  closeStalled(): void;
}

type Streaming = Pick<Context, 'changeLog' | 'changedObject' | 'settings' | 'metrics'>;

/** Maximum objects that a stream looks up at the same time. */
const maxObjects = 20;
/**
 * Maximum changes that the filter may drop before the stream sends its position, so that a reconnect repeats no more.
 */
const maxDropped = 5_000n;
/** Pause after a failure of the objects service. */
const retryReadMs = 1_000;

/**
 * Yields events as fast as the client reads, and reads no changes ahead. While the objects service is unavailable it
 * yields only heartbeats.
 */
export async function* changeStream(context: Streaming, o: StreamOptions): AsyncGenerator<string> {
  const { streamHeartbeat, streamPosition, stallTimeout } = context.settings;
  let at = o.after;
  // The last id that the client got.
  let sent = { serial: at.serial, when: performance.now() };
  let sentAt = performance.now();
  let text = openingText(at, retryMs());
  for (;;) {
    if (text !== '') {
      const stalled = setTimeout(o.closeStalled, stallTimeout);
      yield text;
      clearTimeout(stalled);
      sentAt = performance.now();
    }
    if (o.signal.aborted || o.isBlocked()) break;
    const leftMs = sentAt + streamHeartbeat - performance.now();
    const next = await nextAffordable(context, o, at, leftMs).catch(() => undefined);
    if (next === undefined) await pause(retryReadMs, o.signal);
    if (next?.isLost) return;
    ({ text, at } = next ?? { text: '', at });
    const now = performance.now();
    if (next?.last !== undefined) sent = { serial: next.last, when: now };
    const dropped = at.serial - sent.serial;
    const isFar = dropped >= maxDropped || (dropped > 0n && now - sent.when >= streamPosition);
    if (isFar) {
      text += positionText(at);
      sent = { serial: at.serial, when: now };
    } else if (text === '' && now - sentAt >= streamHeartbeat) {
      text = heartbeatText(at.serial);
    }
  }
  yield `retry: ${retryMs()}\n${at.serial > sent.serial ? positionText(at) : '\n'}`;
}

/** The events after a serial. */
interface Piece {
  readonly text: string;
  /** Every change up to this one is in the text, or did not match the filter. */
  readonly at: Position;
  /** The last change in the text. */
  readonly last: bigint | undefined;
  readonly isLost: boolean;
}

/** The next piece; an empty one while the objects of earlier ones have cost the client too much. */
async function nextAffordable(context: Streaming, o: StreamOptions, after: Position, waitMs: number): Promise<Piece> {
  const restMs = o.withObjects ? o.untilAffordable() : 0;
  if (restMs <= 0) return nextPiece(context, o, after, waitMs);
  await pause(Math.max(0, Math.min(restMs, waitMs)), o.signal);
  return { text: '', at: after, last: undefined, isLost: false };
}

async function nextPiece(
  { changeLog, changedObject, metrics }: Streaming,
  { source, filter, withObjects, base, signal, charge }: StreamOptions,
  after: Position,
  waitMs: number,
): Promise<Piece> {
  const part = await changeLog.after(source, after.serial, { signal, ms: waitMs }, after.mark);
  const passing = part.events.filter(filter);
  const events = withObjects ? passing.slice(0, maxObjects) : passing;
  const objects = withObjects ? await Promise.all(events.map((event) => changedObject(event, { source, base }))) : [];
  charge(objects.reduce((sum, object = '') => sum + object.length, 0));
  metrics.streamed(events.length);
  const last = events.at(-1)?.serial;
  const serial = events.length < passing.length ? last! : part.serial;
  return {
    text: events.map((event, index) => eventText(event, objects[index])).join(''),
    at: serial === after.serial ? after : { serial, mark: markIn(part.events, serial) },
    last,
    isLost: part.isLost,
  };
}

function markIn(events: readonly ChangeEvent[], serial: bigint): string {
  return markOf(events.findLast((event) => event.serial === serial)?.instant);
}

/** When a client should reconnect. Random, so that the clients of a stopped gateway do not all reconnect together. */
function retryMs(): number {
  return Math.round(2_000 + Math.random() * 2_000);
}

/* Server-Sent Events (WHATWG HTML section 9.2). The client sends the line "id" as Last-Event-ID when it reconnects. */

/** The beginning of a stream: when to reconnect, and where the stream begins. */
function openingText(at: Position, retryMs: number): string {
  return `retry: ${retryMs}\n${positionText(at)}`;
}

/** An event; `object` is the JSON of its object. */
function eventText(event: ChangeEvent, object?: string): string {
  const data = object === undefined ? event.data : `${event.data.slice(0, -1)},"object":${object}}`;
  return `id: ${changeId(event.serial, markOf(event.instant))}\nevent: object.${operationOf(event)}\ndata: ${data}\n\n`;
}

/** The serial after which a reconnecting client may resume. Browsers ignore events without data. */
function positionText({ serial, mark }: Position): string {
  return `id: ${changeId(serial, mark)}\nevent: position\ndata: {"serial":${serial}}\n\n`;
}

/** A heartbeat, for clients and proxies. */
function heartbeatText(serial: bigint): string {
  return `: ${serial}\n\n`;
}
