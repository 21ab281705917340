import https from 'node:https';
import tls from 'node:tls';
import { checkResponse } from '@cadastre/gateway/testing';
import type { RunningSystem } from '../harness/run-system.js';

/** A request to send. */
export interface Sent {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
  /** Octets to send unchanged over HTTP/1.1, instead of everything else. */
  readonly octets?: Buffer;
}

/** The response. */
export interface Received {
  /** 0 when the connection closed without a response. */
  readonly status: number;
  readonly bytes: number;
  /** The body of a failure of the system (5xx). */
  readonly failure?: string;
}

/** For requests whose connection stays usable in any case. */
const agent = new https.Agent({ keepAlive: true, maxSockets: 1 });

/** How often a request is sent that is answered 503: on a busy machine the database may not answer in time. */
export const maxTries = 3;

/** Sends a request, and again after a 503. An answer that differs from the description of the interface throws. */
export async function send(system: RunningSystem, sent: Sent, credential: string | undefined): Promise<Received> {
  let received = await sendOnce(system, sent, credential);
  for (let tries = 1; received.status === 503 && tries < maxTries; tries++) {
    received = await sendOnce(system, sent, credential);
  }
  return received;
}

/** A request with a body gets a connection of its own. */
function sendOnce(system: RunningSystem, sent: Sent, credential: string | undefined): Promise<Received> {
  if (sent.octets !== undefined) return sendOctets(system, sent.octets);
  const { method, target: path, body } = sent;
  const headers = {
    ...sent.headers,
    ...(credential === undefined ? {} : { authorization: `Basic ${credential}` }),
    ...(body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }),
  };
  const { hostname, port } = new URL(system.https);
  return new Promise((resolve, reject) => {
    const own = { agent: body === undefined ? agent : (false as const) };
    const options = { hostname, port, method, path, headers, ca: system.certificateText, ...own };
    const request = https.request(options, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.once('error', reject);
      response.once('end', () => {
        const { statusCode: status = 0, headers } = response;
        const content = Buffer.concat(chunks);
        const text = content.toString('utf8');
        try {
          checkResponse({ method, path, status, headers, text });
          resolve({ status, bytes: content.length, ...(status >= 500 ? { failure: text } : {}) });
        } catch (error) {
          reject(error);
        }
      });
    });
    // A server that has responded reads no further.
    request.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNRESET' || error.code === 'EPIPE') setImmediate(() => resolve({ status: 0, bytes: 0 }));
      else reject(error);
    });
    request.end(body);
  });
}

function sendOctets({ https: url, certificateText }: RunningSystem, octets: Buffer): Promise<Received> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    const socket = tls.connect({ host: hostname, port: Number(port), ca: certificateText }, () => socket.write(octets));
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    socket.on('error', () => {});
    socket.on('close', () => {
      const answer = Buffer.concat(chunks);
      const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(answer.toString('latin1'))?.[1] ?? 0);
      resolve({ status, bytes: answer.length });
    });
  });
}
