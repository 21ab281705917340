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
  readonly silentMs: number;
  /** Maximum length of an answer in bytes. */
  readonly maxBytes: number;
}

const defaultBounds: AnswerBounds = { silentMs: 60_000, maxBytes: 4 * 2 ** 30 };

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
  { silentMs, maxBytes }: AnswerBounds = defaultBounds,
): AsyncGenerator<string> {
  const name = shownServer(server);
  const { host, port, reach } = server;
  const guard = guardOf(new URL(`whois://${name}`), reach);
  requireAllowedLiteral(host, guard);
  const socket = new Socket({ signal });
  const chunks = socket.setEncoding('latin1').iterator({ destroyOnReturn: false }) as AsyncIterator<string>;
  let silence = expectNews(socket, silentMs);
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
      silence = expectNews(socket, silentMs);
    }
  } catch (error) {
    if (error instanceof MirrorFault || signal.aborted) throw error;
    throw new MirrorFault('transient', `${name}: ${errorText(error)}`, { cause: error });
  } finally {
    clearTimeout(silence);
    socket.destroy();
  }
}

function expectNews(socket: Socket, silentMs: number): NodeJS.Timeout {
  const why = new Error(`the server was silent for ${silentMs / 1000} seconds`);
  return setTimeout(() => socket.destroy(why), silentMs);
}
