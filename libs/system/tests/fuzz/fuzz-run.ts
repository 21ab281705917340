import { checkResponse } from '@cadastre/gateway/testing';
import type { CertificateWithKey } from '../../../../services/gateway/src/server/self-signed.js';
import { describedOperations, describedRequest, type FuzzedRequest, type Material } from './described-requests.js';
import { overHttp1, overHttp2, type Transport, textOf } from './exchanges.js';
import { mutate } from './mutations.js';
import { chance, pick, randomOf } from './random.js';
import { brokenOctets, octetsOf, rawExchange, statusesOf } from './raw-exchange.js';

/** The requests and the destination of a run. */
export interface FuzzRun {
  seed: number;
  /** Numbers of the first request and of the one after the last. */
  from: number;
  to: number;
  https: string;
  http: string;
  certHttps: string;
  /** The certificate for the port that requests one. */
  identity: CertificateWithKey;
  /** The OpenAPI document. */
  description: Parameters<typeof describedOperations>[0];
  material: Material;
  /** Local addresses to send from. */
  localAddresses: readonly string[];
  /** Limits and overload protection are on: 429 and 503 are correct if they have Retry-After. */
  mayBeSentAway: boolean;
}

/** The result of a run. */
export interface FuzzResult {
  statuses: Map<number, number>;
  /** The failures, with all data to reproduce them. */
  failures: string[];
}

const concurrency = 24;
const deadlineMs = 60_000;
const maxFailures = 20;
/** How often a request is sent that is answered 503: on a busy machine the database may not answer in time. */
const maxTries = 3;

/** Sends the requests of a run; stops early after too many failures. */
export async function fuzz(run: FuzzRun): Promise<FuzzResult> {
  const operations = describedOperations(run.description);
  const transports = run.localAddresses.map((localAddress) => transportsFrom(run, localAddress));
  const statuses = new Map<number, number>();
  const failures: string[] = [];
  let next = run.from;
  const work = async () => {
    while (next < run.to && failures.length < maxFailures) {
      const index = next++;
      const send = () => begin(run, index, operations, transports);
      let { shown, answer } = send();
      try {
        for (let tries = 1; !run.mayBeSentAway && (await answer).includes(503) && tries < maxTries; tries++) {
          ({ shown, answer } = send());
        }
        for (const status of await answer) {
          statuses.set(status, (statuses.get(status) ?? 0) + 1);
          // RDAP answers 501 for what a registry of addresses does not have.
          const isRefusal = status === 501 || (status === 503 && run.mayBeSentAway);
          if (status >= 500 && !isRefusal) throw new Error(`status ${status}`);
        }
      } catch (error) {
        failures.push(`request ${index}: ${String(error).slice(0, 1500)}\n${shown}`);
      }
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  for (const transport of transports.flatMap((one) => Object.values(one))) transport.close();
  return { statuses, failures };
}

type Transports = Record<'plain' | 'secure' | 'certificate' | 'http2', Transport>;

function transportsFrom(run: FuzzRun, localAddress: string): Transports {
  const route = { localAddress, connections: concurrency, deadlineMs };
  const port = (url: string) => ({ port: Number(new URL(url).port) });
  return {
    plain: overHttp1(false, { ...route, ...port(run.http) }),
    secure: overHttp1(true, { ...route, ...port(run.https) }),
    certificate: overHttp1(true, { ...route, ...port(run.certHttps), identity: run.identity }),
    http2: overHttp2({ ...route, ...port(run.https) }),
  };
}

/** The transports of requests, weighted by how often they appear here. */
const ways: readonly (keyof Transports)[] = [
  ...(['secure', 'secure', 'secure', 'secure', 'http2', 'http2', 'http2'] as const),
  ...(['certificate', 'certificate', 'plain'] as const),
];

function begin(run: FuzzRun, index: number, operations: ReturnType<typeof describedOperations>, from: Transports[]) {
  const random = randomOf(run.seed, index);
  const way = pick(random, ways);
  const url = { plain: run.http, certificate: run.certHttps, secure: run.https, http2: run.https }[way];
  const localAddress = pick(random, run.localAddresses);
  const raw = async (octets: Buffer) => {
    const target = { port: Number(new URL(url).port), secure: way !== 'plain', localAddress };
    const answer = await rawExchange(target, octets, deadlineMs);
    requireRetryAfter(answer, statusesOf(answer));
    return statusesOf(answer);
  };
  if (chance(random, 2)) {
    const octets = brokenOctets(random);
    return { shown: octets.toString('latin1'), answer: raw(octets) };
  }
  const request = mutate(random, describedRequest(random, operations, run.material));
  const transport = from[run.localAddresses.indexOf(localAddress)]![way];
  // Sends requests that Node's client refuses as raw octets.
  const answer = isSendable(request) ? exchanged(transport, request) : raw(octetsOf(request));
  const octets = octetsOf(request).toString('latin1').replaceAll(run.material.credential, '<credential>');
  return { shown: `${way}\n${octets.slice(0, 3000)}`, answer };
}

function isSendable({ target, headers, body, method }: FuzzedRequest): boolean {
  if (headers.host !== undefined || headers.expect !== undefined) return false;
  if (!Object.values(headers).every((value) => /^[\t\x20-\x7e\x80-\xff]*$/.test(value))) return false;
  return /^\/[\x21-\x7e]*$/.test(target) && (body === undefined || method !== 'TRACE');
}

async function exchanged(transport: Transport, request: FuzzedRequest): Promise<number[]> {
  const response = await transport.exchange(request);
  if (response === undefined) return [];
  checkResponse({ method: request.method, path: request.target, ...response, text: textOf(response) });
  if (response.headers['retry-after'] === undefined) requireRetryAfter('', [response.status]);
  return [response.status];
}

/** A refused client must learn when to retry. */
function requireRetryAfter(answer: string, statuses: readonly number[]): void {
  const sentAway = statuses.find((status) => status === 429 || status === 503);
  if (sentAway !== undefined && !/^retry-after:/im.test(answer)) throw new Error(`${sentAway} without Retry-After`);
}
