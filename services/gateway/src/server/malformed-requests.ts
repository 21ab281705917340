import { Http2ServerResponse } from 'node:http2';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Message } from '@cadastre/proto/registry';
import { defaultPolicy, errorAnswer } from '@cadastre/rdap';
import { render } from '../documents/render.js';
import { rdapMediaType } from '../reply/negotiate.js';
import { messages } from '../ripe-messages.js';

const statuses: Record<string, readonly [number, string]> = {
  HPE_HEADER_OVERFLOW: [431, 'Request Header Fields Too Large'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, 'Payload Too Large'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'Request Timeout'],
};

/** An error of Node's parser. */
interface MalformedRequest extends NodeJS.ErrnoException {
  /** The bytes with the error; those of most requests begin with the request line. */
  readonly rawPacket?: Buffer;
}

const rdapRequest = /^(?:GET|HEAD) \/+(?:whois\/+)?rdap[/ ?]/;

/** How long to wait for a client to close its connection after the last response. */
const lingerMs = 5_000;

/**
 * Answers a request that is not HTTP/1.1, in XML because the requested format is unknown unless it is that of RDAP, and
 * ends its connection. When a response may have started already, closes the connection without one: a second one would
 * look like part of the first.
 */
export function refuseMalformedRequest(error: MalformedRequest, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable || ((socket as Socket).bytesWritten ?? 0) > 0) {
    socket.destroy();
    return;
  }
  const [status, text] = statuses[error.code ?? ''] ?? [400, 'Bad Request'];
  const isRdap = rdapRequest.test(error.rawPacket?.toString('latin1', 0, 64) ?? '');
  end(socket, isRdap ? lastRdapResponse(status, text) : lastResponse(status, text, messages.badRequest(text)));
}

/** Refuses CONNECT with 405: the gateway is not a proxy. */
export function refuseTunnel(_request: unknown, opened: Duplex | Http2ServerResponse): void {
  if (opened instanceof Http2ServerResponse) opened.writeHead(405).end();
  else end(opened, lastResponse(405, 'Method Not Allowed', messages.methodNotAllowed('CONNECT')));
}

/** Sends the last response, and closes the connection if the client does not. */
function end(socket: Duplex, response: string): void {
  socket.end(response);
  const late = setTimeout(() => socket.destroy(), lingerMs).unref();
  socket.once('close', () => clearTimeout(late));
}

/** Refuses an unknown method as in HTTP/1.1, whose parser supports no others; HTTP/2 allows any word (RFC 9113). */
export function refuseMethod(response: Http2ServerResponse): void {
  const body = render('xml', { head: {}, messages: [messages.badRequest('Bad Request')] });
  response.writeHead(400, { 'content-type': 'application/xml' }).end(body);
}

function lastResponse(status: number, text: string, message: Message): string {
  return responseText(status, text, 'application/xml', render('xml', { head: {}, messages: [message] }));
}

/** The same in the format of RDAP. */
function lastRdapResponse(status: number, text: string): string {
  const failure = { status, title: text, description: [text] };
  return responseText(status, text, rdapMediaType, JSON.stringify(errorAnswer(unknownRegistry, { url: '' }, failure)));
}

/** Without an URL an answer has no links. */
const unknownRegistry = { base: '', restBase: '', policy: defaultPolicy };

function responseText(status: number, text: string, type: string, body: string): string {
  return [
    `HTTP/1.1 ${status} ${text}`,
    'Connection: close',
    `Content-Type: ${type}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    '',
    body,
  ].join('\r\n');
}
