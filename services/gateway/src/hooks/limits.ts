import {
  type ConcurrentLimit,
  type CountedLimit,
  costLimits,
  type LimitExceeded,
  type LimitedClient,
  type Limiter,
} from '@cadastre/limits';
import { type StorageUse, WriteOutcome } from '@cadastre/proto/objects';
import type { RegistryObject } from '@cadastre/proto/registry';
import type { Stored } from '@cadastre/rdap';
import { isPerson, isPersonal, parseObject } from '@cadastre/rpsl';
import type { FastifyRequest, onRequestHookHandler, preHandlerHookHandler } from 'fastify';
import type { Context } from '../context.js';
import { HttpError, type ReplyHeaders } from '../errors.js';
import { whenReplyEnds } from '../reply/reply-end.js';
import { isRead } from '../request-context.js';
import { messages } from '../ripe-messages.js';
import { hasCredentials } from './credentials.js';

type Limiting = Pick<Context, 'limiter' | 'metrics'>;

/**
 * Refuses blocked clients (403), and clients that sent too many requests or wrong credentials (429). A request with
 * credentials is counted after authentication.
 */
export function limitClient(context: Limiting & Pick<Context, 'clientCertificates'>): onRequestHookHandler {
  const { limiter } = context;
  return (request, _reply, done) => {
    const sender = limiter.clients.atAddress(request.client.address);
    request.limitedClient = sender;
    check(context, limiter.checkBlocked(sender));
    request.hasCredentials = hasCredentials(context, request);
    if (request.hasCredentials) checkFailedCredentials(context, sender);
    else countRequest(context, request);
    done();
  };
}

/** Counts a request with credentials for its account, else for its sender. Throws an HttpError (403, 429). */
export function countForAccount(context: Limiting, request: FastifyRequest): void {
  const { accountId: id = '', accountName: name = '' } = request.principal ?? {};
  if (id !== '') {
    const sender = request.limitedClient;
    request.limitedClient = context.limiter.clients.ofAccount({ id, name }, sender);
    if (request.limitedClient !== sender) check(context, context.limiter.checkBlocked(request.limitedClient));
  }
  countRequest(context, request);
}

/** Counts credentials that were refused: they may be guesses. */
export function countFailedCredentials({ limiter }: Limiting, client: LimitedClient, thrown: unknown): void {
  if (thrown instanceof HttpError && thrown.status === 401) limiter.count(client, 'failed-credentials');
}

/** Throws an HttpError (429) when too many credentials of the client were refused, signatures included. */
export function checkFailedCredentials(context: Limiting, client: LimitedClient): void {
  check(context, context.limiter.check(client, 'failed-credentials'));
}

/** Throws an HttpError (429) when the client has sent too many names of accounts that do not exist. */
export function checkUnknownAccounts(context: Limiting, client: LimitedClient): void {
  check(context, context.limiter.check(client, 'unknown-accounts'));
}

/**
 * Refuses (429) a client with too many concurrent requests; this one ends with its reply. Refuses (429) what may cost
 * much to a client whose requests have cost too much, and every read of objects to a client that has seen too many
 * personal ones (decision R16).
 */
export function limitConcurrency(context: Limiting): preHandlerHookHandler {
  const { limiter } = context;
  return (request, reply, done) => {
    const { limitedClient: client, facts } = request;
    const { rates, ratesAndObjects, concurrent } = countingOf(request);
    if (isCostly(request)) checkCosts(context, client);
    check(context, limiter.takePlace(client, concurrent));
    whenReplyEnds(reply, () => limiter.endPlace(client, concurrent));
    if (facts.showsObjects) check(context, limiter.check(client, 'personal-objects'));
    request.shownLimits = facts.showsObjects ? ratesAndObjects : rates;
    done();
  };
}

/** Whether a request may cost much: it shows objects, searches or writes. */
function isCostly(request: FastifyRequest): boolean {
  return request.facts.showsObjects || request.facts.load === 'search' || !isRead(request);
}

/** Throws an HttpError (429) when the earlier requests of the client have cost too much. */
export function checkCosts(context: Limiting, client: LimitedClient): void {
  for (const name of costLimits) check(context, context.limiter.check(client, name));
}

/** Counts an object that is about to be shown, if it is personal. Returns the error (429) to show instead. */
export async function countIfPersonal(
  context: Limiting & Pick<Context, 'findOwn' | 'settings'>,
  { method, limitedClient, principal }: Asking,
  object: RegistryObject,
): Promise<HttpError | undefined> {
  // The reply to a HEAD shows nothing.
  if (method === 'HEAD' || !isPersonal(object, context.settings.source)) return undefined;
  if (principal !== undefined) {
    const isOwn = await context.findOwn(principal);
    const parsed = parseObject(object.text);
    if (parsed.ok && isOwn(object.source, parsed.object)) return undefined;
  }
  return errorOf(context, context.limiter.count(limitedClient, 'personal-objects'));
}

type Asking = Pick<FastifyRequest, 'method' | 'limitedClient' | 'principal'>;

/** Tells whether the contact of another object may be shown with more than its handle, and counts it if it is a person. */
export type CountContact = (contact: Stored) => boolean;

/** How a request counts the persons that it shows inside other objects: each once for its client (decision W22). */
export async function contactCounter(
  { limiter, findOwn }: Pick<Context, 'limiter' | 'findOwn'>,
  { method, limitedClient, principal }: Asking,
): Promise<CountContact> {
  if (method === 'HEAD') return () => true;
  const isOwn = await findOwn(principal);
  return (contact) =>
    !isPerson(contact.object) ||
    isOwn(contact.source, contact.object) ||
    countPersonalContact(limiter, limitedClient, contactName(contact));
}

/** The name by which a contact counts once. */
export function contactName({ key, object }: Stored): string {
  return `${object.type} ${key}`;
}

/** Counts a person inside another object by its name. Returns whether the client may see it. */
export function countPersonalContact(limiter: Limiter, client: LimitedClient, name: string): boolean {
  return limiter.countOnce(client, 'personal-objects', name);
}

const bulk: readonly CountedLimit[] = ['bulk-resources', 'personal-objects', 'queries', 'searches'];

/** Counts the resources of a bulk lookup, which the headers of the reply show. Throws an HttpError (429). */
export function countBulkResources(context: Limiting, request: FastifyRequest, resources: number): void {
  check(context, context.limiter.count(request.limitedClient, 'bulk-resources', resources));
  request.shownLimits = bulk;
}

/** Counts a personal object that an anonymous client is about to see. Throws an HttpError (429). */
export function countPersonalObject(context: Limiting, client: LimitedClient): void {
  check(context, context.limiter.count(client, 'personal-objects'));
}

/** The header fields that show what is left of the limits; none before `limitConcurrency` accepts the request. */
export function limitHeaders(
  { limiter }: Pick<Context, 'limiter'>,
  { limitedClient, shownLimits, storageToday }: FastifyRequest,
): Readonly<Record<string, string>> | undefined {
  const headers = shownLimits && limiter.headers(limitedClient, shownLimits);
  return storageToday === undefined ? headers : withStorage(headers, storageToday);
}

const quotaReasons = new Map([
  [WriteOutcome.WRITE_OUTCOME_DAY_QUOTA, 'storage-per-day'],
  [WriteOutcome.WRITE_OUTCOME_MNTNER_QUOTA, 'storage-per-mntner'],
]);

/** Counts a write that is refused because its caller, or its mntner, has stored too much. */
export function countQuotaRefusals({ metrics }: Pick<Context, 'metrics'>, outcomes: readonly WriteOutcome[]): void {
  const reasons = new Set(outcomes.map((outcome) => quotaReasons.get(outcome)));
  for (const reason of reasons) if (reason !== undefined) metrics.limited(reason);
}

const secondsOfDay = 86_400;

function withStorage(headers: Readonly<Record<string, string>> = {}, storage: StorageUse): Record<string, string> {
  const { remaining, seconds } = storageLeft(storage);
  const fields = {
    ratelimit: `"storage";r=${remaining};t=${seconds}`,
    'ratelimit-policy': `"storage";q=${storage.limit};w=${secondsOfDay};qu="content-bytes"`,
  };
  const added = Object.entries(fields).map(([name, field]) => [
    name,
    headers[name] === undefined ? field : `${headers[name]}, ${field}`,
  ]);
  return Object.fromEntries(added);
}

/** How many bytes a caller may still store today, and in how many seconds the day ends. */
export function storageLeft({ used, limit, resets }: StorageUse): { remaining: bigint; seconds: number } {
  const seconds = resets === undefined ? 0 : Math.max(0, Math.ceil((resets.getTime() - Date.now()) / 1000));
  return { remaining: used < limit ? limit - used : 0n, seconds };
}

function countRequest(context: Limiting, request: FastifyRequest): void {
  for (const name of countingOf(request).rates) check(context, context.limiter.count(request.limitedClient, name));
}

/** The limits that a kind of request counts against. */
interface Counting {
  readonly rates: readonly CountedLimit[];
  /** The rates of a request that shows objects. */
  readonly ratesAndObjects: readonly CountedLimit[];
  readonly concurrent: readonly ConcurrentLimit[];
}

function counting(rates: CountedLimit[], concurrent: ConcurrentLimit): Counting {
  const ratesAndObjects = ['personal-objects', ...rates] as const;
  return { rates, ratesAndObjects, concurrent: [...new Set(['concurrent-requests', concurrent] as const)] };
}

const write = counting(['updates'], 'concurrent-updates');
const search = counting(['queries', 'searches'], 'concurrent-searches');
const stream = counting(['queries'], 'concurrent-streams');
const otherRead = counting(['queries'], 'concurrent-requests');

function countingOf(request: FastifyRequest): Counting {
  if (!isRead(request)) return write;
  switch (request.facts.load) {
    case 'search':
      return search;
    case 'stream':
      return stream;
    case 'other':
      return otherRead;
  }
}

function check(context: Limiting, exceeded: LimitExceeded | undefined): void {
  const error = errorOf(context, exceeded);
  if (error) throw error;
}

/** The error for a refused client. */
function errorOf({ limiter, metrics }: Limiting, exceeded: LimitExceeded | undefined): HttpError | undefined {
  if (exceeded === undefined) return undefined;
  const { reason, client, retryAfterMs } = exceeded;
  metrics.limited(reason);
  const wait: ReplyHeaders =
    retryAfterMs === undefined ? {} : { 'retry-after': String(Math.ceil(retryAfterMs / 1000)) };
  return new HttpError(statusOf(reason), messageOf(exceeded), { ...limiter.headers(client, [reason]), ...wait });
}

function statusOf(reason: LimitExceeded['reason']): number {
  return reason === 'blocked-by-operator' || reason === 'blocked-for-a-time' ? 403 : 429;
}

function messageOf({ reason, client: { name, limits } }: LimitExceeded) {
  switch (reason) {
    case 'blocked-by-operator':
      return messages.hostBlocked(name);
    case 'blocked-for-a-time':
      return messages.deniedForRepetition(name);
    case 'personal-objects':
      return messages.deniedForTheDay(name);
    case 'concurrent-requests':
    case 'concurrent-searches':
    case 'concurrent-updates':
    case 'concurrent-streams':
      return messages.tooManyAtOnce(limits[reason], reason.slice('concurrent-'.length), name);
    case 'failed-credentials':
      return messages.tooManyFailures(name);
    case 'unknown-accounts':
      return messages.tooManyUnknownAccounts(name);
    case 'bytes':
    case 'processing':
      return messages.tooCostly(limits[reason], reason === 'bytes' ? 'bytes' : 'milliseconds of processing', name);
    case 'bulk-resources':
      return messages.tooManyResourcesPerMinute(limits[reason], name);
    default:
      return messages.tooManyRequests(limits[reason], reason, name);
  }
}
