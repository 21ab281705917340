import { randomUUID } from 'node:crypto';
import {
  type ChangeEvent,
  type ChangeFilter,
  type ChangeLog,
  changeEvent,
  changeFilter,
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
import { type Endpoint, openEndpoint, type Reach, type Response } from './endpoint.js';
import { changedEvent, type EventBase, reloadedEvent, testEvent, type WebhookEvent } from './event.js';
import { longestPause, pauseAfter } from './pauses.js';
import { signedHeaders } from './signature.js';

/** How an attempt ended: the URL accepted the event, or did not, or an event was given up after all its attempts. */
export type DeliveryOutcome = 'delivered' | 'failed' | 'given-up';

export interface DeliveryOptions {
  readonly feed: ChangeFeed;
  readonly changeLog: Pick<ChangeLog, 'after'>;
  readonly shownObject: ShownObject;
  readonly base: EventBase;
  readonly reach: Reach;
  /** Stores what became of an attempt. False: the claim has ended, and nothing was stored. */
  settle(settlement: WebhookSettlement): Promise<boolean>;
  /** Tells the owner that the webhook is disabled. False: later. */
  tellOwner(webhook: Webhook, accountName: string): Promise<boolean>;
  count(outcome: DeliveryOutcome): void;
  readonly userAgent: string;
}

/** A webhook is followed for so long, then given back: another replica may be less busy. */
const followedMs = 10_000;
const ownerPauseSeconds = 600;
const unknownFilterPauseSeconds = 60;
const lostPauseMs = 1_000;

/**
 * Delivers what a claimed webhook waits for, then follows its source for a while. Each event is settled before the next
 * one is sent. Ends when an attempt failed, the claim has ended, or the signal is aborted. Throws a ServiceError.
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
      if (!(await deliverRequested(work, serial))) return;
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
  /** Milliseconds within which another event may be sent. */
  timeLeft(): number;
}

/** How far a webhook is. */
type Progress = Pick<WebhookSettlement, 'serial' | 'failures'>;

function settled(
  { webhook: { id }, claimed: { claim }, settle }: Work,
  at: Progress,
  more: Partial<WebhookSettlement>,
) {
  return settle({ id, claim, ...at, confirmed: false, gone: false, ownerTold: false, ...more });
}

/** Delivers the changes of the source, in order. */
async function followSource(work: Work, start: Progress): Promise<void> {
  const { base, changeLog, feed, properties, signal } = work;
  const { source } = properties;
  const filter = filterOf(properties);
  // A newer version has stored it.
  if (filter === undefined) return void (await settled(work, start, { releaseSeconds: unknownFilterPauseSeconds }));
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
      const next = await delivered(work, at, reloadedEvent(base, source, newest, new Date()), newest);
      if (next === undefined) return;
      at = next;
      continue;
    }
    for (const event of part.events.filter(filter)) {
      if (work.timeLeft() === 0) return void (await settled(work, at, { releaseSeconds: 0 }));
      const next = await delivered(work, at, await eventOf(work, event), event.serial);
      if (next === undefined) return;
      at = next;
    }
    at = { ...at, serial: part.serial };
  }
  await settled(work, at, { releaseSeconds: 0 });
}

/** Delivers the next event; returns how far the webhook is then. Undefined when it was given back. */
async function delivered(work: Work, at: Progress, event: WebhookEvent, serial: bigint): Promise<Progress | undefined> {
  const { attempt, response } = await attemptOf(work, event);
  const next = { serial, failures: 0 };
  if (response.error === '') return (await settled(work, next, { attempt })) ? next : undefined;
  const failures = at.failures + 1;
  const pauseSeconds = pauseAfter(failures);
  if (pauseSeconds === undefined) {
    work.count('given-up');
    await settled(work, next, { attempt, releaseSeconds: 0 });
  } else {
    await settled(work, { serial: at.serial, failures }, { attempt, ...afterFailure(response, pauseSeconds) });
  }
  return undefined;
}

/** Asks the URL whether it accepts events. It is asked until it does, or the webhook is disabled. */
async function confirm(work: Work, at: Progress): Promise<void> {
  const { attempt, response } = await attemptOf(work, testEventOf(work));
  if (response.error === '') {
    await settled(work, { ...at, failures: 0 }, { attempt, confirmed: true, releaseSeconds: 0 });
    return;
  }
  const failures = at.failures + 1;
  const pauseSeconds = pauseAfter(failures);
  const next = pauseSeconds === undefined ? at : { ...at, failures };
  await settled(work, next, { attempt, ...afterFailure(response, pauseSeconds ?? longestPause) });
}

function afterFailure({ status, retryAfter }: Response, pauseSeconds: number): Partial<WebhookSettlement> {
  return { gone: status === 410, releaseSeconds: Math.max(pauseSeconds, retryAfter) };
}

/** Delivers a test event or one change again, once. False when the claim has ended. */
async function deliverRequested(work: Work, serial: bigint): Promise<boolean> {
  const { serial: at, failures } = work.webhook;
  const event = serial === 0n ? testEventOf(work) : await pastEvent(work, serial);
  const attempt = event ? (await attemptOf(work, event)).attempt : goneAttempt(work, serial);
  return settled(work, { serial: at, failures }, { attempt, requested: serial });
}

async function pastEvent(work: Work, serial: bigint): Promise<WebhookEvent | undefined> {
  const { changes } = await work.feed.listChanges({ source: work.properties.source, afterSerial: serial - 1n });
  const change = changes.find((one) => one.serial === serial);
  return change && eventOf(work, changeEvent(change));
}

/** The record of a change that the registry has no longer. */
function goneAttempt({ properties: { source } }: Work, serial: bigint): WebhookAttempt {
  const error = 'the registry has no change with this serial any more';
  const sent = { eventId: `${source}-${serial}`, serial, instant: new Date() };
  return { id: 0n, ...sent, status: 0, durationMs: 0, error, response: '' };
}

function testEventOf({ base, properties }: Work): WebhookEvent {
  return testEvent(base, properties.source, randomUUID(), new Date());
}

async function eventOf({ base, properties, shownObject }: Work, event: ChangeEvent): Promise<WebhookEvent> {
  const withText = properties.payload === WebhookPayload.WEBHOOK_PAYLOAD_TEXT;
  const object = withText ? await shownObject(event, properties.source) : undefined;
  return changedEvent(base, properties.source, event, object?.text);
}

/** Sends an event, and makes the record of that. */
async function attemptOf({ claimed, endpoint, properties, userAgent, count }: Work, event: WebhookEvent) {
  const instant = new Date();
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
  const made = changeFilter({
    'type-filter': filter?.types ?? [],
    operation: filter?.operations ?? [],
    maintainer: filter?.maintainers ?? [],
    within: filter?.within ?? [],
    key: filter?.key ?? '',
  });
  return typeof made === 'function' ? made : undefined;
}
