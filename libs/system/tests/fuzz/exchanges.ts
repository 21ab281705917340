import http from 'node:http';
import http2 from 'node:http2';
import https from 'node:https';
import tls from 'node:tls';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import type { CertificateWithKey } from '../../../../services/gateway/src/server/self-signed.js';
import type { FuzzedRequest } from './described-requests.js';

/** The response to a request. */
export interface Response {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  /** As received, possibly compressed. */
  readonly body: Buffer;
}

/** The text of a response, decoded as its Content-Encoding says; throws if the body has another coding. */
export function textOf({ headers, body }: Response): string {
  const coding = headers['content-encoding'];
  // A response to HEAD names a coding without a body.
  if (coding === undefined || body.length === 0) return body.toString('utf8');
  const decode = decoders[coding];
  if (decode === undefined) throw new Error(`no decoder for Content-Encoding ${coding}`);
  return decode(body).toString('utf8');
}

const decoders: Record<string, (body: Buffer) => Buffer> = { br: brotliDecompressSync, gzip: gunzipSync };

/** Sends requests in one way. A request that the server cut off, as it may, has no response. */
export interface Transport {
  exchange(request: FuzzedRequest): Promise<Response | undefined>;
  close(): void;
}

/** The destination and the client of a transport. */
export interface Route {
  readonly port: number;
  /** Local address. */
  readonly localAddress: string;
  readonly connections: number;
  readonly deadlineMs: number;
  /** The client certificate, for ports that request one. */
  readonly identity?: CertificateWithKey;
}

const host = '127.0.0.1';

/** HTTP/1.1 with TLS, or without. */
export function overHttp1(
  secure: boolean,
  { port, localAddress, connections, deadlineMs, identity }: Route,
): Transport {
  const pool = { keepAlive: true, maxSockets: connections };
  const agent = secure ? new https.Agent({ ...pool, ...identity, rejectUnauthorized: false }) : new http.Agent(pool);
  const send = secure ? https.request : http.request;
  const exchange = ({ method, target: path, headers, body }: FuzzedRequest): Promise<Response | undefined> =>
    new Promise((resolve, reject) => {
      const all = { ...headers, ...lengthOf(body) };
      const sent = send({ host, port, localAddress, method, path, headers: all, timeout: deadlineMs, agent });
      sent.on('timeout', () => sent.destroy(new Error('no response within the deadline')));
      sent.on('error', (error: NodeJS.ErrnoException) => {
        if (error.code === 'ECONNRESET' || error.code === 'EPIPE') resolve(undefined);
        else reject(error);
      });
      sent.on('response', (response) => {
        const { statusCode: status = 0, headers } = response;
        if (isEndless(method, headers)) {
          response.on('error', reject).once('data', (body: Buffer) => {
            resolve({ status, headers, body });
            response.destroy();
          });
          return;
        }
        response.toArray().then((chunks) => resolve({ status, headers, body: Buffer.concat(chunks) }), reject);
      });
      sent.end(body);
    });
  return { exchange, close: () => agent.destroy() };
}

/** Headers of HTTP/1.1 only, which Node's HTTP/2 client refuses. */
const http1Headers = ['connection', 'expect', 'host', 'http2-settings', 'keep-alive', 'te', 'transfer-encoding'];

/** HTTP/2, over one connection as long as the server keeps it open. */
export function overHttp2({ port, localAddress, deadlineMs }: Route): Transport {
  let session: http2.ClientHttp2Session | undefined;
  const connected = (): http2.ClientHttp2Session => {
    if (session === undefined || session.closed || session.destroyed) {
      const options = { host, port, localAddress, rejectUnauthorized: false, ALPNProtocols: ['h2'] };
      session = http2.connect(`https://${host}:${port}`, { createConnection: () => tls.connect(options) });
      session.on('error', () => {});
    }
    return session;
  };
  const exchange = ({ method, target, headers, body }: FuzzedRequest): Promise<Response | undefined> =>
    new Promise((resolve, reject) => {
      const all = Object.entries({ ...headers, ...lengthOf(body) }).filter(([name]) => !http1Headers.includes(name));
      // By default Node's client assumes that a GET has no body, and fails a stream that writes one.
      const options = { endStream: body === undefined };
      const stream = connected().request({ ':method': method, ':path': target, ...Object.fromEntries(all) }, options);
      const late = setTimeout(() => {
        stream.close();
        reject(new Error('no response within the deadline'));
      }, deadlineMs);
      // The server may reset the stream of such a request.
      stream.on('error', () => {});
      let response: Omit<Response, 'body'> | undefined;
      const chunks: Buffer[] = [];
      stream.on('response', ({ ':status': status = 0, ...others }) => {
        response = { status, headers: others };
      });
      stream.on('data', (chunk: Buffer) => {
        chunks.push(chunk);
        if (response === undefined || !isEndless(method, response.headers)) return;
        resolve({ ...response, body: chunk });
        stream.close();
      });
      stream.on('close', () => {
        clearTimeout(late);
        const whole = stream.rstCode === http2.constants.NGHTTP2_NO_ERROR && stream.readableEnded;
        resolve(response && whole ? { ...response, body: Buffer.concat(chunks) } : undefined);
      });
      if (body !== undefined) stream.end(body);
    });
  return { exchange, close: () => session?.destroy() };
}

/** Whether the response is a change stream, of which the first piece is enough. */
function isEndless(method: string, { 'content-type': type }: http.IncomingHttpHeaders): boolean {
  return method !== 'HEAD' && type === 'text/event-stream';
}

function lengthOf(body: Buffer | undefined): Record<string, string> {
  return body === undefined ? {} : { 'content-length': String(body.length) };
}
