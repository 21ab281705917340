import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { render } from './format/render.js';
import { messages } from './messages.js';

const statuses: Record<string, readonly [number, string]> = {
  HPE_HEADER_OVERFLOW: [431, 'Request Header Fields Too Large'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, 'Payload Too Large'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'Request Timeout'],
};

/**
 * Answers what cannot be read as HTTP/1.1, and ends its connection. In XML: which format was asked for is not known.
 * Where an answer may have begun already, another one would be taken for a part of it.
 */
export function answerBrokenRequest(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable || ((socket as Socket).bytesWritten ?? 0) > 0) {
    socket.destroy();
    return;
  }
  const [status, text] = statuses[error.code ?? ''] ?? [400, 'Bad Request'];
  const body = Buffer.from(render('xml', { head: {}, messages: [messages.badRequest(text)] }));
  socket.end(
    `HTTP/1.1 ${status} ${text}\r\nConnection: close\r\nContent-Type: application/xml\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  );
}
