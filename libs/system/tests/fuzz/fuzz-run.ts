import http from 'node:http';
import https from 'node:https';
import { checkResponse } from '@cadastre/gateway/testing';
import { describedOperations, describedRequest, type FuzzedRequest, type Material } from './described-requests.js';
import { mutate } from './mutations.js';
import { chance, randomOf } from './random.js';
import { brokenOctets, octetsOf, rawExchange, statusesOf } from './raw-exchange.js';

/** What a run sends, and where. */
export interface FuzzRun {
  seed: number;
  /** Numbers of the first request and of the one after the last. */
  from: number;
  to: number;
  https: string;
  http: string;
  /** The OpenAPI document. */
  description: Parameters<typeof describedOperations>[0];
  material: Material;
}

/** What came of it. */
export interface FuzzResult {
  statuses: Map<number, number>;
  /** What went wrong, with all that is needed to do it again. */
  failures: string[];
}

const concurrency = 24;
const deadlineMs = 60_000;
const mostFailures = 20;

/** Sends the requests of a run; stops early when too much goes wrong. */
export async function fuzz(run: FuzzRun): Promise<FuzzResult> {
  const operations = describedOperations(run.description);
  const agents = {
    secure: new https.Agent({ keepAlive: true, maxSockets: concurrency, rejectUnauthorized: false }),
    plain: new http.Agent({ keepAlive: true, maxSockets: concurrency }),
  };
  const statuses = new Map<number, number>();
  const failures: string[] = [];
  let next = run.from;
  const work = async () => {
    while (next < run.to && failures.length < mostFailures) {
      const index = next++;
      const { shown, answer } = begin(run, index, operations, agents);
      try {
        for (const status of await answer) {
          statuses.set(status, (statuses.get(status) ?? 0) + 1);
          if (status >= 500) throw new Error(`status ${status}`);
        }
      } catch (error) {
        failures.push(`request ${index}: ${String(error).slice(0, 1500)}\n${shown}`);
      }
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  agents.secure.destroy();
  agents.plain.destroy();
  return { statuses, failures };
}

type Agents = { secure: https.Agent; plain: http.Agent };

function begin(run: FuzzRun, index: number, operations: ReturnType<typeof describedOperations>, agents: Agents) {
  const random = randomOf(run.seed, index);
  const secure = !chance(random, 10);
  const port = Number(new URL(secure ? run.https : run.http).port);
  if (chance(random, 2)) {
    const octets = brokenOctets(random);
    return {
      shown: octets.toString('latin1'),
      answer: rawExchange({ port, secure }, octets, deadlineMs).then(statusesOf),
    };
  }
  const request = mutate(random, describedRequest(random, operations, run.material));
  const octets = octetsOf(request);
  // What the platform's client refuses to send goes out all the same.
  const answer = isSendable(request)
    ? exchange(request, secure, port, agents)
    : rawExchange({ port, secure }, octets, deadlineMs).then(statusesOf);
  const shown = octets.toString('latin1').replaceAll(run.material.credential, '<credential>').slice(0, 3000);
  return { shown, answer };
}

function isSendable({ target, headers, body, method }: FuzzedRequest): boolean {
  if (headers.host !== undefined || headers.expect !== undefined) return false;
  if (!Object.values(headers).every((value) => /^[\t\x20-\x7e\x80-\xff]*$/.test(value))) return false;
  return /^\/[\x21-\x7e]*$/.test(target) && (body === undefined || method !== 'TRACE');
}

function exchange(request: FuzzedRequest, secure: boolean, port: number, agents: Agents): Promise<number[]> {
  const { method, target: path, headers, body } = request;
  const options = {
    host: '127.0.0.1',
    port,
    method,
    path,
    headers: { ...headers, ...lengthOf(body) },
    timeout: deadlineMs,
  };
  return new Promise((resolve, reject) => {
    const sent = secure
      ? https.request({ ...options, agent: agents.secure })
      : http.request({ ...options, agent: agents.plain });
    sent.on('timeout', () => sent.destroy(new Error('no answer within the deadline')));
    // A connection that the server has just closed, or closes because it reads no further, is no fault of it.
    sent.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNRESET' || error.code === 'EPIPE') resolve([]);
      else reject(error);
    });
    sent.on('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const { statusCode: status = 0, headers } = response;
        try {
          checkResponse({ method, path, status, headers, text: Buffer.concat(chunks).toString('utf8') });
          resolve([status]);
        } catch (error) {
          reject(error);
        }
      });
    });
    sent.end(body);
  });
}

function lengthOf(body: Buffer | undefined): Record<string, string> {
  return body === undefined ? {} : { 'content-length': String(body.length) };
}
