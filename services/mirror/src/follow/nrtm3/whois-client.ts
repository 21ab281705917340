import { isIPv6, Socket } from 'node:net';
import { errorText, guardedLookup, requireAllowedLiteral } from '@cadastre/service';
import { MirrorFault } from '../origin.js';
import { guardOf, type Reach } from '../reach.js';

/** A whois server. */
export interface WhoisServer {
  readonly host: string;
  readonly port: number;
  readonly reach: Reach;
}

/** Bounds of an answer. */
export interface AnswerBounds {
  /** Maximum pause of the server. */
  readonly idleTimeoutMs: number;
  /** Maximum length of an answer in bytes. */
  readonly maxBytes: number;
}

const defaultBounds: AnswerBounds = { idleTimeoutMs: 60_000, maxBytes: 4 * 2 ** 30 };

/** The timeout detects a server that falls silent without closing; this detects a dead one earlier. */
const keepAlive = { keepAlive: true, keepAliveInitialDelay: 30_000 };

/** The address as one text. */
export function shownServer({ host, port }: Pick<WhoisServer, 'host' | 'port'>): string {
  return `${isIPv6(host) ? `[${host}]` : host}:${port}`;
}

/**
 * Sends a line on a connection of its own, and yields the answer as it arrives, a character for each byte. Reads the
 * server only as fast as its own reader; the time of the reader does not count as silence. Errors: MirrorFault.
 */
export async function* askWhois(
  server: WhoisServer,
  line: string,
  signal: AbortSignal,
  { idleTimeoutMs, maxBytes }: AnswerBounds = defaultBounds,
): AsyncGenerator<string> {
  const name = shownServer(server);
  const { host, port, reach } = server;
  const guard = guardOf(new URL(`whois://${name}`), reach);
  requireAllowedLiteral(host, guard);
  const socket = new Socket({ signal });
  const chunks = socket.setEncoding('latin1').iterator({ destroyOnReturn: false }) as AsyncIterator<string>;
  let silence = expectNews(socket, idleTimeoutMs);
  let length = 0;
  try {
    socket.connect({ host, port, ...keepAlive, lookup: guardedLookup(guard) });
    socket.write(line);
    for (;;) {
      const { done, value } = await chunks.next();
      clearTimeout(silence);
      if (done) return;
      length += value.length;
      if (length > maxBytes) throw new MirrorFault('refused', `${name}: the answer is longer than ${maxBytes} bytes`);
      yield value;
      silence = expectNews(socket, idleTimeoutMs);
    }
  } catch (error) {
    if (error instanceof MirrorFault || signal.aborted) throw error;
    throw new MirrorFault('transient', `${name}: ${errorText(error)}`, { cause: error });
  } finally {
    clearTimeout(silence);
    socket.destroy();
  }
}

function expectNews(socket: Socket, idleTimeoutMs: number): NodeJS.Timeout {
  const why = new Error(`the server was silent for ${idleTimeoutMs / 1000} seconds`);
  return setTimeout(() => socket.destroy(why), idleTimeoutMs);
}

/** The refusal of a server. */
export interface Refusal {
  readonly code?: number;
  readonly text: string;
}

/**
 * The meaning of a refusal for a follower that requested changes from a serial on: it is current, or the server has
 * removed changes that it needs (`gap`). Servers have different texts: these are those of RIPE, IRRd and ourselves.
 * Errors: MirrorFault for all other refusals.
 */
export function meaningOf({ code, text }: Refusal, first: number): 'current' | 'gap' {
  const [, available, other] = /not within \D*(\d+) *- *(\d+)/i.exec(text) ?? [];
  if (available !== undefined) return placeIn(Number(available), Number(other), first);
  const [, from] = /serials (\d+) - \d+ do not exist/i.exec(text) ?? [];
  // IRRd names the requested serial and where its changes begin, or where they end and the requested serial.
  if (from !== undefined) return Number(from) === first ? 'gap' : placeIn(0, Number(from), first);
  if (/older than \d+ days|no journal entries|maximum range/i.test(text)) return 'gap';
  const isFinal = code === undefined ? /access denied|unknown source|invalid|no journal kept/i.test(text) : code > 401;
  const message = `The server refuses to send changes: ${code === undefined ? '' : `${code}: `}${text}`;
  throw new MirrorFault(isFinal ? 'refused' : 'transient', message);
}

function placeIn(oldest: number, newest: number, first: number): 'current' | 'gap' {
  if (first < oldest) return 'gap';
  if (first === newest + 1) return 'current';
  throw new MirrorFault(
    'refused',
    `The server has changes up to ${newest}, the copy has all up to ${first - 1}: it was restored, or is another one`,
  );
}
