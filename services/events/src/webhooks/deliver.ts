import { randomUUID } from 'node:crypto';
import {
  type ChangeEvent,
  type ChangeFilter,
  type ChangeLog,
  changeEvent,
  changeFilter,
  eventObjectJson,
  eventObjectText,
  filterFromWire,
  type ShownObject,
} from '@cadastre/changes';
import {
  type ClaimedWebhook,
  type Webhook,
  type WebhookAttempt,
  WebhookPayload,
  type WebhookProperties,
  type WebhookSettlement,
  WebhookState,
} from '@cadastre/proto/objects';
import { pause } from '@cadastre/service';
import type { ChangeFeed } from '../objects-client.js';
import { type Endpoint, openEndpoint, type Reach, type Response, signedHeaders } from './endpoint.js';
import { changedEvent, type EventBase, type Member, reloadedEvent, testEvent, type WebhookEvent } from './event.js';

/** The outcome of an attempt: the URL accepted the event, or did not, or the last attempt failed. */
export type DeliveryOutcome = 'delivered' | 'failed' | 'given-up';

export interface DeliveryOptions {
  readonly feed: ChangeFeed;
  readonly changeLog: Pick<ChangeLog, 'after'>;
  readonly shownObject: ShownObject;
  readonly base: EventBase;
  readonly reach: Reach;
  /** Stores the outcome of an attempt. False: the claim is no longer valid, and nothing was stored. */
  settle(settlement: WebhookSettlement): Promise<boolean>;
  /** Notifies the owner that the webhook is disabled. False: later. */
  tellOwner(webhook: Webhook, accountName: string): Promise<boolean>;
  count(outcome: DeliveryOutcome): void;
  readonly userAgent: string;
  readonly now: () => Date;
}

/** How long to follow a webhook before releasing it: another replica may be less busy. */
const followedMs = 10_000;
const ownerPauseSeconds = 600;
const unknownFilterPauseSeconds = 60;
const lostPauseMs = 1_000;
/** A webhook that is further behind gets an event to read the objects again. */
const furthestBehindMs = 7 * 24 * 3_600_000;

/**
 * Delivers what a claimed webhook waits for, then follows its source for a while. Settles each event before sending the
 * next one. Ends when an attempt failed, the claim is no longer valid, or the signal is aborted. Throws a ServiceError.
 */
export async function deliver(o: DeliveryOptions, claimed: ClaimedWebhook, signal: AbortSignal): Promise<void> {
  const { webhook, accountName, requested, tellOwner } = claimed;
  if (webhook?.properties === undefined) return;
  const endpoint = openEndpoint(webhook.properties.url, o.reach);
  const until = performance.now() + followedMs;
  const work: Work = {
    ...o,
    ...{ claimed, webhook, endpoint, properties: webhook.properties },
    signal,
    timeLeft: () => (signal.aborted ? 0 : Math.max(0, until - performance.now())),
  };
  const start = { serial: webhook.serial, failures: webhook.failures };
  try {
    for (const serial of requested) {
      if (work.timeLeft() === 0) break;
      if (!(await deliverRequested(work, start, serial))) return;
    }
    if (tellOwner) {
      const ownerTold = await o.tellOwner(webhook, accountName);
      await settled(work, start, { ownerTold, releaseSeconds: ownerTold ? 0 : ownerPauseSeconds });
    } else if (webhook.state === WebhookState.WEBHOOK_STATE_ACTIVE) {
      await followSource(work, start);
    } else if (webhook.state === WebhookState.WEBHOOK_STATE_UNCONFIRMED && work.timeLeft() > 0) {
      await confirm(work, start);
    } else {
      await settled(work, start, { releaseSeconds: 0 });
    }
  } finally {
    endpoint.close();
  }
}

interface Work extends DeliveryOptions {
  readonly claimed: ClaimedWebhook;
  readonly webhook: Webhook;
  readonly properties: WebhookProperties;
  readonly endpoint: Endpoint;
  readonly signal: AbortSignal;
  /** Remaining milliseconds in which another event may be sent. */
  timeLeft(): number;
}

/** The progress of a webhook. */
type Progress = Pick<WebhookSettlement, 'serial' | 'failures'>;

function settled(
  { webhook: { id }, claimed: { claim }, settle }: Work,
  { serial, failures }: Progress,
  more: Partial<WebhookSettlement>,
): Promise<boolean> {
  const nothing = { attempts: [], confirmed: false, gone: false, ownerTold: false };
  return settle({ id, claim, serial, failures, ...nothing, ...more });
}

async function giveBack(work: Work, at: Progress, releaseSeconds = 0): Promise<undefined> {
  await settled(work, at, { releaseSeconds });
}

/** Delivers the changes of the source. */
async function followSource(work: Work, start: Progress): Promise<void> {
  const { changeLog, feed, properties, signal } = work;
  const { source } = properties;
  const filter = filterOf(properties);
  // A newer version has stored it.
  if (filter === undefined) return giveBack(work, start, unknownFilterPauseSeconds);
  let at = start;
  while (work.timeLeft() > 0) {
    const part = await changeLog.after(source, at.serial, { signal, ms: work.timeLeft() });
    if (part.isLost) {
      // This process may only be behind others.
      const { removed, newest } = await feed.listChanges({ source, afterSerial: at.serial });
      if (!removed && newest >= at.serial) {
        await pause(lostPauseMs, signal);
        continue;
      }
    }
    const next = part.isLost
      ? await deliverReloaded(work, at)
      : await deliverPart(work, at, part.events.filter(filter));
    if (next === undefined) return;
    at = part.isLost || next.serial > part.serial ? next : { ...next, serial: part.serial };
  }
  await giveBack(work, at);
}

/** Delivers events in order. Undefined when the webhook was released. */
async function deliverPart(work: Work, start: Progress, events: readonly ChangeEvent[]): Promise<Progress | undefined> {
  let at = start;
  for (const event of events) {
    if (work.timeLeft() === 0) return giveBack(work, at);
    if (isFarBehind(work, event)) return deliverReloaded(work, at);
    const next = await send(work, at, await eventOf(work, event), { ...at, serial: event.serial, failures: 0 });
    if (next === undefined) return undefined;
    at = next;
  }
  return at;
}

/** Whether an event is too old, unless the owner has requested it. */
function isFarBehind({ claimed, now }: Work, { serial, instant }: ChangeEvent): boolean {
  return instant !== undefined && serial > claimed.askedTo && now().getTime() - instant.getTime() > furthestBehindMs;
}

/** Sends the event to read the objects again, and continues after the newest change. */
async function deliverReloaded(work: Work, at: Progress): Promise<Progress | undefined> {
  const { source } = work.properties;
  const { newest } = await work.feed.listChanges({ source, afterSerial: at.serial });
  const event = reloadedEvent(work.base, source, newest, work.now());
  return send(work, at, event, { ...at, serial: newest, failures: 0 }, { neverGivesUp: true });
}

/** Sends a test event, which the URL must accept before others. */
async function confirm(work: Work, at: Progress): Promise<void> {
  const more = { confirmed: true, releaseSeconds: 0 };
  await send(work, at, testEventOf(work), { ...at, failures: 0 }, { neverGivesUp: true, more });
}

/**
 * Makes one attempt to send an event. Returns `next` when the URL accepted it. Otherwise releases the webhook until the
 * next attempt, and returns undefined; after the last attempt it skips the event, unless it `neverGivesUp`. `more` is
 * settled with an accepted event.
 */
async function send(
  work: Work,
  at: Progress,
  event: WebhookEvent,
  next: Progress,
  {
    neverGivesUp = false,
    more = {},
  }: { readonly neverGivesUp?: boolean; readonly more?: Partial<WebhookSettlement> } = {},
): Promise<Progress | undefined> {
  const { attempt, response } = await attemptOf(work, event);
  const attempts = [attempt];
  if (response.error === '') return (await settled(work, next, { attempts, ...more })) ? next : undefined;
  const failures = at.failures + 1;
  const pauseSeconds = pauseAfter(failures);
  if (pauseSeconds === undefined && !neverGivesUp) {
    work.count('given-up');
    await settled(work, next, { attempts, releaseSeconds: 0 });
    return undefined;
  }
  const failed = pauseSeconds === undefined ? at : { ...at, failures };
  const releaseSeconds = Math.max(pauseSeconds ?? maxPause, response.retryAfter);
  await settled(work, failed, { attempts, gone: response.status === 410, releaseSeconds });
  return undefined;
}

/** Delivers a test event or one change again, once. False when the claim is no longer valid. */
async function deliverRequested(work: Work, at: Progress, serial: bigint): Promise<boolean> {
  const event = serial === 0n ? testEventOf(work) : await pastEvent(work, serial);
  const { attempt } = event ? await attemptOf(work, event) : noChange(work, serial);
  return settled(work, at, { attempts: [attempt], requested: serial });
}

async function pastEvent(work: Work, serial: bigint): Promise<WebhookEvent | undefined> {
  const { changes } = await work.feed.listChanges({ source: work.properties.source, afterSerial: serial - 1n });
  const change = changes.find((one) => one.serial === serial);
  return change && eventOf(work, changeEvent(change));
}

/** Counts as a failed attempt: the registry no longer has this change. */
function noChange({ properties: { source }, now }: Work, serial: bigint): Attempted {
  const error = 'the registry has no change with this serial any more';
  const sent = { eventId: `${source}-${serial}`, serial, instant: now() };
  const response = { status: 0, error, text: '', retryAfter: 0 };
  return { response, attempt: { id: 0n, ...sent, status: 0, durationMs: 0, error, response: '' } };
}

function testEventOf({ base, properties, now }: Work): WebhookEvent {
  return testEvent(base, properties.source, randomUUID(), now());
}

async function eventOf(work: Work, event: ChangeEvent): Promise<WebhookEvent> {
  const { base, properties } = work;
  return changedEvent(base, properties.source, event, await objectOf(work, event));
}

/** The object of a change, in the form that the webhook requests. */
async function objectOf({ base, properties, shownObject }: Work, event: ChangeEvent): Promise<Member | undefined> {
  const { payload, source } = properties;
  const isText = payload === WebhookPayload.WEBHOOK_PAYLOAD_TEXT;
  if (!isText && payload !== WebhookPayload.WEBHOOK_PAYLOAD_OBJECT) return undefined;
  const object = await shownObject(event, source);
  if (object === undefined) return undefined;
  const shown = isText ? eventObjectText(object) : eventObjectJson(object, base ?? '');
  if (shown === undefined) return undefined;
  return isText ? ['text', JSON.stringify(shown)] : ['object', shown];
}

interface Attempted {
  readonly response: Response;
  readonly attempt: WebhookAttempt;
}

/** Sends an event, and records that. */
async function attemptOf(work: Work, event: WebhookEvent): Promise<Attempted> {
  const { claimed, endpoint, properties, userAgent, count, now } = work;
  const instant = now();
  const started = performance.now();
  const response = await endpoint.post(event.body, {
    'content-type': 'application/cloudevents+json; charset=utf-8',
    'user-agent': userAgent,
    ...signedHeaders({ signature: properties.signature, secrets: claimed.secrets }, { ...event, instant }),
  });
  count(response.error === '' ? 'delivered' : 'failed');
  const { status, error, text } = response;
  const durationMs = Math.round(performance.now() - started);
  const attempt: WebhookAttempt = {
    ...{ id: 0n, eventId: event.id, serial: event.serial, instant },
    ...{ status, durationMs, error, response: text },
  };
  return { response, attempt };
}

function filterOf({ filter }: WebhookProperties): ChangeFilter | undefined {
  const made = changeFilter(filterFromWire(filter));
  return typeof made === 'function' ? made : undefined;
}

const minute = 60;
const hour = 60 * minute;

/** Pauses between the attempts to deliver one event, in seconds: 75 hours and 35 minutes together. */
const pauses = [5, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour, 14 * hour, 20 * hour, 24 * hour];

/** The maximum pause. */
const maxPause = 24 * hour;

/** Seconds until the next attempt after this number of failures, up to a fifth more or less; undefined: give up. */
function pauseAfter(failures: number): number | undefined {
  const seconds = pauses[failures - 1];
  return seconds && Math.round(seconds * (0.8 + 0.4 * Math.random()));
}
