import { Http2ServerResponse } from 'node:http2';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Message } from '@cadastre/proto/registry';
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
  socket.end(lastAnswer(status, text, messages.badRequest(text)));
}

/** Answers CONNECT: this is no proxy. */
export function refuseTunnel(_request: unknown, opened: Duplex | Http2ServerResponse): void {
  if (opened instanceof Http2ServerResponse) opened.writeHead(405).end();
  else opened.end(lastAnswer(405, 'Method Not Allowed', messages.methodNotAllowed('CONNECT')));
}

/** Answers a method that nobody has heard of: HTTP/1.1 cannot even read it, HTTP/2 takes any word (RFC 9113). */
export function refuseMethod(response: Http2ServerResponse): void {
  const body = render('xml', { head: {}, messages: [messages.badRequest('Bad Request')] });
  response.writeHead(400, { 'content-type': 'application/xml' }).end(body);
}

function lastAnswer(status: number, text: string, message: Message): string {
  const body = render('xml', { head: {}, messages: [message] });
  return [
    `HTTP/1.1 ${status} ${text}`,
    'Connection: close',
    'Content-Type: application/xml',
    `Content-Length: ${Buffer.byteLength(body)}`,
    '',
    body,
  ].join('\r\n');
}
