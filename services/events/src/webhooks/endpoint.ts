import { Resolver } from 'node:dns/promises';
import http from 'node:http';
import https from 'node:https';
import { type BlockList, isIP, type LookupFunction } from 'node:net';
import { errorText, isPublicAddress } from '@cadastre/service';

/** The response of a receiver. */
export interface Response {
  /** 0 without a response. */
  readonly status: number;
  /** Why the attempt failed; empty after a success. */
  readonly error: string;
  /** The beginning of the body. */
  readonly text: string;
  /** Seconds to wait, when the receiver is overloaded; otherwise 0. */
  readonly retryAfter: number;
}

/** Restrictions on where events may be sent. */
export interface Reach {
  /** Networks that are refused, in addition to those that are not public. */
  readonly refused: BlockList;
  /** Also allows http, any port, and addresses that are not public. */
  readonly anywhere: boolean;
  /** Queries the name servers. */
  readonly resolver: Pick<Resolver, 'resolve4' | 'resolve6'>;
  /** CA certificates (PEM) besides those of Node.js. */
  readonly ca?: string | undefined;
  /** Timeout of an attempt, in milliseconds. */
  readonly deadlineMs: number;
}

/** The receiver of a webhook, for a few events. */
export interface Endpoint {
  /** Sends an event. Never rejects: a failure is a response with an error. */
  post(body: string, headers: Readonly<Record<string, string>>): Promise<Response>;
  close(): void;
}

const maxOctets = 4_096;
const longestWaitSeconds = 3_600;
const nameServerTimeout = { timeout: 2_000, tries: 2 };

/** A resolver that uses the name servers of the machine. It blocks no thread, so slow names delay no other work. */
export function createResolver(): Resolver {
  return new Resolver(nameServerTimeout);
}

/**
 * Opens a receiver. Each connection leads to an address that was checked when its name was resolved: a name that
 * resolves differently the next time gains nothing. A connection remains open only between events of one endpoint.
 */
export function openEndpoint(text: string, reach: Reach): Endpoint {
  const url = new URL(text);
  const isTls = url.protocol === 'https:';
  const agent = isTls ? new https.Agent({ keepAlive: true, ca: reach.ca }) : new http.Agent({ keepAlive: true });
  const refusal = refusalOf(url, reach);
  return {
    async post(body, headers) {
      if (refusal !== undefined) return failed(refusal);
      const signal = AbortSignal.timeout(reach.deadlineMs);
      const options = { method: 'POST', agent, headers, signal, lookup: lookupOf(reach) };
      try {
        return await exchange((isTls ? https : http).request(url, options), body);
      } catch (error) {
        return failed(signal.aborted ? `no answer within ${reach.deadlineMs / 1000} seconds` : reasonOf(error));
      }
    },
    close: () => agent.destroy(),
  };
}

function failed(error: string): Response {
  return { status: 0, error, text: '', retryAfter: 0 };
}

/** Why a URL is refused before anything is sent. */
function refusalOf(url: URL, reach: Reach): string | undefined {
  if (!reach.anywhere && url.protocol !== 'https:') return 'only https is allowed';
  if (!reach.anywhere && !['', '8443'].includes(url.port)) return 'only the ports 443 and 8443 are allowed';
  const literal = url.hostname.replace(/^\[|\]$/g, '');
  return isIP(literal) === 0 || isAllowed(literal, reach) ? undefined : notPublic;
}

function isAllowed(address: string, { refused, anywhere }: Reach): boolean {
  const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
  return (anywhere || isPublicAddress(address)) && !refused.check(address, family);
}

/**
 * The same reason for everything that is found before a connection: accounts must not learn which names the registry's
 * name servers know, nor to what these resolve.
 */
const notPublic = 'the URL does not lead to a public address';

/** Resolves a name for a connection; fails when it has no address, or one of them is not allowed. */
function lookupOf(reach: Reach): LookupFunction {
  return (name, { all }, done) => {
    resolve(name, reach.resolver).then(
      (addresses) => {
        const wrong = addresses.find(({ address }) => !isAllowed(address, reach));
        const [first] = addresses;
        if (first === undefined || wrong !== undefined) done(new Error(notPublic), '');
        else if (all) done(null, addresses);
        else done(null, first.address, first.family);
      },
      () => done(new Error(notPublic), ''),
    );
  };
}

async function resolve(name: string, resolver: Reach['resolver']): Promise<{ address: string; family: 4 | 6 }[]> {
  // Such names are never resolved (RFC 6761).
  if (/(^|\.)localhost\.?$/i.test(name)) return [{ address: '127.0.0.1', family: 4 }];
  const [four, six] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
  if (four.status === 'rejected' && six.status === 'rejected') throw four.reason;
  const listed = (result: typeof four, family: 4 | 6) =>
    result.status === 'fulfilled' ? result.value.map((address) => ({ address, family })) : [];
  return [...listed(four, 4), ...listed(six, 6)];
}

async function exchange(request: http.ClientRequest, body: string): Promise<Response> {
  const { promise, resolve: answered, reject } = Promise.withResolvers<http.IncomingMessage>();
  request.on('response', answered).on('error', reject).end(body);
  const response = await promise;
  const status = response.statusCode ?? 0;
  const error = errorOf(status);
  const retryAfter = status === 429 || status === 503 ? secondsOf(response.headers['retry-after']) : 0;
  return { status, error, text: await beginning(response), retryAfter };
}

function errorOf(status: number): string {
  if (status >= 200 && status < 300) return '';
  return status >= 300 && status < 400 ? `status ${status}: redirects are not followed` : `status ${status}`;
}

/** The beginning of a body; closes the connection when there is more. */
async function beginning(response: http.IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  let octets = 0;
  for await (const piece of response) {
    pieces.push(piece);
    octets += piece.length;
    if (octets > maxOctets) break;
  }
  return Buffer.concat(pieces).subarray(0, maxOctets).toString();
}

/** The seconds of a Retry-After: a number, or until a date. */
function secondsOf(text: string | undefined): number {
  if (text === undefined) return 0;
  const seconds = /^\d{1,9}$/.test(text) ? Number(text) : (Date.parse(text) - Date.now()) / 1000;
  return Number.isNaN(seconds) ? 0 : Math.min(Math.max(0, Math.ceil(seconds)), longestWaitSeconds);
}

/** Why a request failed, without the addresses in errors of connections. */
function reasonOf(error: unknown): string {
  // Uses the first of several addresses.
  const first = error instanceof AggregateError ? error.errors[0] : error;
  const { code, syscall } = (first ?? {}) as NodeJS.ErrnoException;
  return syscall === 'connect' ? `no connection (${code})` : errorText(first);
}
