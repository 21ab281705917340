import http from 'node:http';
import https from 'node:https';
import { setTimeout as delay } from 'node:timers/promises';
import { checkResponse } from '@cadastre/gateway/testing';
import { keepHeadersSecret, keepSecret } from '@cadastre/service/testing';
import type { RunningSystem } from './run-system.js';

/** A response. */
export interface Answer {
  status: number;
  headers: http.IncomingHttpHeaders;
  text: string;
}

/** A certificate, possibly followed by others, and the key of the first one; PEM. */
export interface ShownCertificate {
  cert: string;
  key: string;
}

export interface RequestOptions {
  method?: string;
  /** Over plain HTTP instead of HTTPS. */
  plain?: boolean;
  /** The value for "Authorization: Basic"; absent for anonymous requests. */
  credential?: string | undefined;
  /** Uses the address for client certificates, with this one. */
  client?: ShownCertificate;
  accept?: string;
  contentType?: string;
  headers?: Record<string, string>;
  body?: string | Buffer;
}

export type Rest = (path: string, options?: RequestOptions) => Promise<Answer>;

type Addresses = Pick<RunningSystem, 'http' | 'https' | 'certHttps' | 'certificateText'>;

export interface RestOptions {
  /**
   * Whether a request is sent again when a service was unavailable for a moment, as the answer advises: while a machine
   * stands still for seconds, a connection to the database may reach its timeout. Default true; false for tests of
   * failures.
   */
  repeats?: boolean;
}

/** How often a request is sent at most. */
const maxTries = 3;
/** How often a client sends one again: a service that is unavailable more often has a fault. */
const maxRepeats = 10;
const pauseMs = 500;

/** That nothing was done: not that an overload, or a write whose outcome is unknown. */
const isUnavailable = ({ status, text }: Answer) =>
  status === 503 && /Service temporarily unavailable(?!: whether)/.test(text);

/** Sends requests to a system; sends paths exactly as written. */
export function restClient(system: Addresses, { repeats = true }: RestOptions = {}): Rest & { close(): void } {
  const agent = new https.Agent({ ca: system.certificateText, keepAlive: true, maxSockets: 64 });
  const plainAgent = new http.Agent({ keepAlive: true });
  // A connection authenticates its client, so clients with certificates share none.
  const tls = ({ client }: RequestOptions) =>
    client ? { ...client, ca: system.certificateText, agent: false } : { agent };
  const sendOnce = (path: string, o: RequestOptions): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const { hostname, port } = new URL(o.plain ? system.http : o.client ? system.certHttps : system.https);
      const target = { hostname, port, path, method: o.method ?? 'GET', headers: headersOf(o) };
      keepHeadersSecret(target.headers);
      keepSecret(o.client?.key);
      const request = o.plain
        ? http.request({ ...target, agent: plainAgent })
        : https.request({ ...target, ...tls(o) });
      request.once('error', reject);
      request.once('response', (response) =>
        collect(response)
          .then((answer) => checked(path, o, answer))
          .then(resolve, reject),
      );
      request.end(o.body);
    });
  let repeatsLeft = repeats ? maxRepeats : 0;
  const send: Rest = async (path, o = {}) => {
    let answer = await sendOnce(path, o);
    for (let tries = 1; repeatsLeft > 0 && isUnavailable(answer) && tries < maxTries; tries++) {
      repeatsLeft--;
      console.warn(`${o.method ?? 'GET'} ${path.slice(0, 100)}: 503, sent again`);
      await delay(pauseMs);
      answer = await sendOnce(path, o);
    }
    return answer;
  };
  const close = (): void => {
    agent.destroy();
    plainAgent.destroy();
  };
  return Object.assign(send, { close });
}

/** Checks every response of a test against the description of the interface. */
function checked(path: string, { method = 'GET' }: RequestOptions, answer: Answer): Answer {
  checkResponse({ method, path, ...answer });
  return answer;
}

function headersOf(o: RequestOptions): Record<string, string> {
  return {
    ...(o.accept === undefined ? {} : { accept: o.accept }),
    ...(o.contentType === undefined ? {} : { 'content-type': o.contentType }),
    ...(o.credential === undefined ? {} : { authorization: `Basic ${o.credential}` }),
    ...(o.body === undefined ? {} : { 'content-length': String(Buffer.byteLength(o.body)) }),
    ...o.headers,
  };
}

async function collect(response: http.IncomingMessage): Promise<Answer> {
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  return { status: response.statusCode ?? 0, headers: response.headers, text: Buffer.concat(chunks).toString('utf8') };
}
