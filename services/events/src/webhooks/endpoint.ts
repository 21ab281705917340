import { createHmac, sign } from 'node:crypto';
import type { LookupAddress } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import type http from 'node:http';
import type { BlockList } from 'node:net';
import { WebhookSignature } from '@cadastre/proto/objects';
import { type AddressRule, ed25519Key, errorText, guardedRequest, openAgent, refusedPart } from '@cadastre/service';

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

/** Restrictions on where events may be sent. `anywhere` also allows http, and any port. */
export interface Reach extends AddressRule {
  /** Networks that are refused, in addition to those that are not public. */
  readonly refused: BlockList;
  /** Queries the name servers. */
  readonly resolver: Pick<Resolver, 'resolve4' | 'resolve6'>;
  /** CA certificates (PEM) besides those of Node.js. */
  readonly ca?: string | undefined;
  /** URL of the HTTP proxy through which requests go. It resolves the names. */
  readonly proxy?: string | undefined;
  /** Timeout of an attempt, in milliseconds. */
  readonly deadlineMs: number;
}

/** The receiver of a webhook, for a few events. */
export type Endpoint = ReturnType<typeof openEndpoint>;

const maxOctets = 4_096;
const maxWaitSeconds = 3_600;
const nameServerTimeout = { timeout: 2_000, tries: 2 };

/** A resolver that uses the name servers of the machine. It blocks no thread, so slow names delay no other work. */
export function createResolver(): Resolver {
  return new Resolver(nameServerTimeout);
}

/**
 * Opens a receiver. Connects only to addresses that are allowed, or to the proxy. A connection remains open only between
 * events of one endpoint.
 */
export function openEndpoint(text: string, reach: Reach) {
  const url = new URL(text);
  const agent = openAgent(url, reach.proxy, { keepAlive: true, ca: reach.ca });
  const refused = refusedPart(url, reach);
  const guard = {
    ...reach,
    resolve: (name: string) => addressesOf(name, reach.resolver),
    refusal: () => new Error(notPublic),
  };
  return {
    /** Sends an event. Never rejects: a failure is a response with an error. */
    async post(body: string, headers: Readonly<Record<string, string>>): Promise<Response> {
      if (refused !== undefined) return failed(refusals[refused]);
      const signal = AbortSignal.timeout(reach.deadlineMs);
      try {
        return await responseOf(await guardedRequest(url, guard, { method: 'POST', agent, headers, signal, body }));
      } catch (error) {
        return failed(signal.aborted ? `no answer within ${reach.deadlineMs / 1000} seconds` : reasonOf(error));
      }
    },
    close: (): void => agent.destroy(),
  };
}

function failed(error: string): Response {
  return { status: 0, error, text: '', retryAfter: 0 };
}

/**
 * The same reason for everything that is found before a connection: accounts must not learn which names the registry's
 * name servers know, nor to what these resolve.
 */
const notPublic = 'the URL does not lead to a public address';

/** Why a URL is refused before anything is sent. */
const refusals = { scheme: 'only https is allowed', port: 'only the ports 443 and 8443 are allowed', host: notPublic };

async function addressesOf(name: string, resolver: Reach['resolver']): Promise<LookupAddress[]> {
  // Such names are never resolved (RFC 6761).
  if (/(^|\.)localhost\.?$/i.test(name)) return [{ address: '127.0.0.1', family: 4 }];
  const [four, six] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
  const listed = (result: typeof four, family: 4 | 6) =>
    result.status === 'fulfilled' ? result.value.map((address) => ({ address, family })) : [];
  const addresses = [...listed(four, 4), ...listed(six, 6)];
  if (addresses.length === 0) throw new Error(notPublic);
  return addresses;
}

async function responseOf(response: http.IncomingMessage): Promise<Response> {
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
  return Number.isNaN(seconds) ? 0 : Math.min(Math.max(0, Math.ceil(seconds)), maxWaitSeconds);
}

/** Why a request failed, without the addresses in errors of connections. */
function reasonOf(error: unknown): string {
  // Uses the first of several addresses.
  const first = error instanceof AggregateError ? error.errors[0] : error;
  const { code, syscall } = (first ?? {}) as NodeJS.ErrnoException;
  return syscall === 'connect' ? `no connection (${code})` : errorText(first);
}

/** The keys that sign a request. */
export interface Signing {
  readonly signature: WebhookSignature;
  /** The newest first; during a rotation there are two. */
  readonly secrets: readonly Uint8Array[];
}

/** The headers of Standard Webhooks 1.0: each secret signs "id.seconds.body". */
export function signedHeaders(
  { signature, secrets }: Signing,
  { id, body, instant }: { readonly id: string; readonly body: string; readonly instant: Date },
): Record<string, string> {
  const seconds = String(Math.floor(instant.getTime() / 1000));
  const signed = Buffer.from(`${id}.${seconds}.${body}`);
  const isAsymmetric = signature === WebhookSignature.WEBHOOK_SIGNATURE_V1A;
  const signatures = secrets.map((secret) =>
    isAsymmetric
      ? `v1a,${sign(null, signed, ed25519Key(secret)).toString('base64')}`
      : `v1,${createHmac('sha256', secret).update(signed).digest('base64')}`,
  );
  return { 'webhook-id': id, 'webhook-timestamp': seconds, 'webhook-signature': signatures.join(' ') };
}
