import { type AuthenticateRequest, AuthenticationOutcome, type WatchCredentialsResponse } from '@cadastre/proto/auth';
import { ServiceError } from '@cadastre/service';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { exampleReader, type RunningGateway, startGateway } from './gateway.fixture.js';

const path = '/TEST/mntner/EXAMPLE-MNT.json';
const minuteMs = 60_000;
const longWait = { timeout: 45_000 };
const quiet: WatchCredentialsResponse = { accountIds: [] };

let gateway: RunningGateway;
/** The requests to the auth service. */
let requested: AuthenticateRequest[];
/** How long the gateway may cache its answer. */
let keepForMs: number | undefined;
/** Open streams, whose messages the test sends. */
let streams: { report(message: WatchCredentialsResponse): void; break(): void }[];
/** Delays an answer of the auth service. */
let beforeAnswer: () => Promise<unknown>;
/** Delays the first message of a stream. */
let beforeStream: () => Promise<unknown>;

beforeEach(async () => {
  requested = [];
  keepForMs = minuteMs;
  streams = [];
  beforeAnswer = async () => {};
  beforeStream = async () => {};
  gateway = await startGateway(
    {
      reader: exampleReader,
      auth: {
        async authenticate(request) {
          requested.push(request);
          await beforeAnswer();
          const { basic, session, bearerToken } = request;
          const accountId = basic || session || bearerToken;
          if (accountId === 'wrong') {
            return { outcome: AuthenticationOutcome.AUTHENTICATION_OUTCOME_REJECTED, messages: [], keepForMs };
          }
          const principal = { credentials: [], accountId, accountName: `${accountId}@example.net`, apiKeyId: 'k' };
          return {
            outcome: AuthenticationOutcome.AUTHENTICATION_OUTCOME_AUTHENTICATED,
            principal: { ...principal, maintainers: [], keyFingerprints: [] },
            messages: [],
            keepForMs,
          };
        },
        async *watchCredentials(_request, { signal }) {
          await beforeStream();
          let next = Promise.withResolvers<WatchCredentialsResponse[]>();
          const waiting: WatchCredentialsResponse[] = [quiet];
          next.resolve(waiting);
          streams.push({
            report(message) {
              waiting.push(message);
              next.resolve(waiting);
            },
            break: () => next.reject(new ServiceError('unavailable', 'away')),
          });
          signal.addEventListener('abort', () => next.resolve([]));
          while (!signal.aborted) {
            yield* (await next.promise).splice(0);
            if (waiting.length === 0) next = Promise.withResolvers();
          }
        },
      },
    },
    { CADASTRE_LIMITS: 'failed-credentials=2' },
    undefined,
    { credentialSilence: 600_000 },
  );
  await vi.waitUntil(async () => (await questionsFor('probe')) === 0, longWait);
});
afterEach(() => gateway.stop());

/** The number of requests to the auth service for these credentials. */
async function questionsFor(basic: string, headers: Record<string, string> = { authorization: `Basic ${basic}` }) {
  const before = requested.length;
  expect((await gateway.send(path, { headers })).status).toBe(200);
  return requested.length - before;
}

describe('accepted credentials', () => {
  it('are checked once, each separately', async () => {
    expect(await questionsFor('alice')).toBe(1);
    expect(await questionsFor('bob')).toBe(1);
    expect(await questionsFor('alice')).toBe(0);
    const session = { cookie: '__Host-cadastre-session=alice' };
    expect(await questionsFor('', session)).toBe(1);
    expect(await questionsFor('', { authorization: 'Bearer alice' })).toBe(1);
    expect(await questionsFor('', { authorization: 'Basic alice', ...session })).toBe(1);
  });

  it('are checked again when their account changed, and only then', async () => {
    await questionsFor('alice');
    await questionsFor('bob');
    streams.at(-1)!.report({ accountIds: ['alice'] });
    await vi.waitUntil(async () => (await questionsFor('alice')) === 1, longWait);
    expect(await questionsFor('bob')).toBe(0);
  });

  it('are checked each time while the stream of changes is broken', async () => {
    await questionsFor('alice');
    const begin = Promise.withResolvers<void>();
    beforeStream = () => begin.promise;
    streams.at(-1)!.break();
    await vi.waitUntil(async () => (await questionsFor('alice')) === 1, longWait);
    expect(await questionsFor('alice')).toBe(1);
    begin.resolve();
    await vi.waitUntil(async () => (await questionsFor('alice')) === 0, longWait);
    expect(streams).toHaveLength(2);
  });

  it('are checked again after an answer during which something changed', async () => {
    const answer = Promise.withResolvers<void>();
    beforeAnswer = () => answer.promise;
    const first = gateway.send(path, { headers: { authorization: 'Basic carol' } });
    await vi.waitUntil(() => requested.at(-1)?.basic === 'carol', longWait);
    beforeAnswer = async () => {};
    streams.at(-1)!.report({ accountIds: ['carol', 'probe'] });
    await vi.waitUntil(async () => (await questionsFor('probe')) === 1, longWait);
    answer.resolve();
    await first;
    expect(await questionsFor('carol')).toBe(1);
    expect(await questionsFor('carol')).toBe(0);
  });

  it.each([undefined, 0])('are checked each time when they may be cached for %s ms', async (ms) => {
    keepForMs = ms;
    expect(await questionsFor('alice')).toBe(1);
    expect(await questionsFor('alice')).toBe(1);
  });

  it('are checked again after their time', async () => {
    keepForMs = 1;
    await questionsFor('alice');
    await vi.waitUntil(async () => (await questionsFor('alice')) === 1, longWait);
  });

  it('are removed before the response to a sign-out', async () => {
    await questionsFor('alice');
    const headers = { authorization: 'Basic alice', origin: `https://127.0.0.1:${gateway.gateway.ports().https}` };
    expect((await gateway.send('/session', { method: 'DELETE', headers })).status).toBe(200);
    expect(await questionsFor('alice')).toBe(1);
  });
});

it('checks wrong credentials each time, and counts each', async () => {
  const statuses = [];
  const before = requested.length;
  for (let attempt = 0; attempt < 4; attempt++) {
    statuses.push((await gateway.send(path, { headers: { authorization: 'Basic wrong' } })).status);
  }
  expect(statuses).toEqual([401, 401, 401, 429]);
  expect(requested.length - before).toBe(3);
});
