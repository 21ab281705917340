import { randomInt } from 'node:crypto';
import {
  filterFromWire,
  filterToWire,
  nameIn,
  webhookPayloads,
  webhookSignatures,
  webhookStates,
} from '@cadastre/changes';
import type {
  ClaimedWebhook,
  Webhook,
  WebhookAttempt,
  WebhookProperties,
  WebhookServiceService,
  WebhookSettlement,
} from '@cadastre/proto/objects';
import { duringCall, failureMessage, type Handlers, inTransaction, ServiceError } from '@cadastre/service';
import type { Context } from '../context.js';
import {
  type WebhookProperties as StoredProperties,
  shownPublicKey,
  shownSecret,
  webhookBounds,
  webhookProblems,
} from '../domain/webhooks.js';
import { currentSerial } from '../store/serials.js';
import {
  attemptsOf,
  byOperator,
  claimWebhooks,
  deleteWebhook,
  findWebhook,
  insertWebhook,
  moveWebhook,
  requestDelivery,
  rotateSecret,
  type StoredAttempt,
  type WebhookSettlement as StoredSettlement,
  type StoredWebhook,
  settleWebhooks,
  updateWebhook,
  type WebhookName,
  webhooksAfter,
  webhooksOf,
} from '../store/webhooks.js';
import { leaseOf, pageSize, requireFew, secondsAfter } from './claims.js';
import { requireSource } from './requested.js';

const maxRetrySeconds = 2 * 24 * 3_600;
const maxErrorLength = 300;
const maxResponseLength = 1_000;
/** How long the previous secret signs, too. */
const bothSignMs = 24 * 3_600_000;
const idLength = 24;
const idCharacters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

const byOwner = 'Its owner has disabled it.';

export function webhookHandlers(
  context: Pick<Context, 'sources' | 'readPool' | 'writePool' | 'clock' | 'webhooks'>,
): Handlers<typeof WebhookServiceService> {
  const { sources, readPool, writePool, clock } = context;
  const enabled = () => {
    if (context.webhooks === undefined) throw new ServiceError('unimplemented', 'This registry has no webhooks');
    return context.webhooks;
  };
  const secretOf = (webhook: StoredWebhook) => enabled().secrets.of(webhook, webhook.secret);
  const shown = (webhook: StoredWebhook): Webhook => {
    const { id, state, reason, created, serial, failures, failingSince, due, signature } = webhook;
    const publicKey = signature === 'v1a' ? shownPublicKey(secretOf(webhook)) : '';
    return {
      ...{ id, reason, created, serial, failures, publicKey },
      properties: wireProperties(webhook, sources.all.find(({ id: one }) => one === webhook.sourceId)?.name ?? ''),
      state: webhookStates[state],
      failingSince: failingSince ?? undefined,
      due: failures > 0 && state !== 'disabled' ? due : undefined,
    };
  };
  const withSecret = (webhook: StoredWebhook) => ({
    webhook: shown(webhook),
    secret: webhook.signature === 'v1' ? shownSecret(secretOf(webhook)) : '',
  });
  const checked = (properties: WebhookProperties | undefined) => {
    if (properties === undefined) throw new ServiceError('invalid', 'A webhook needs properties');
    const source = requireSource(sources, properties.source);
    const wanted = storedProperties(properties);
    const problems = webhookProblems(wanted, enabled());
    if (problems.length > 0) throw new ServiceError('invalid', problems);
    return { ...wanted, sourceId: source.id };
  };
  /** A webhook that the operator has disabled stops its receiver for all webhooks of the account. */
  const requireReceiver = async (accountId: string, url: string) => {
    const { host } = new URL(url);
    const all = accountId === '' ? [] : await webhooksOf(writePool, accountId);
    if (all.some((one) => one.reason === byOperator && new URL(one.url).host === host)) throw stopped();
  };
  /** Why a webhook was not changed. */
  const unchanged = async (name: WebhookName) => ((await findWebhook(writePool, name)) ? stopped() : unknown(name));
  return {
    createWebhook: async ({ accountId, accountName, properties }) => {
      requireAccount(accountId);
      const wanted = checked(properties);
      await requireReceiver(accountId, wanted.url);
      const id = Array.from({ length: idLength }, () => idCharacters[randomInt(idCharacters.length)]).join('');
      const state = properties?.disabled ? 'disabled' : 'unconfirmed';
      const webhook = { ...wanted, id, accountId, accountName, state, reason: properties?.disabled ? byOwner : '' };
      const stored = await inTransaction(writePool, async (db) => {
        return (await insertWebhook(db, { ...webhook, state }, clock())) ? findWebhook(db, webhook) : undefined;
      });
      if (stored !== undefined) return withSecret(stored);
      const text = 'An account has at most %d webhooks';
      throw new ServiceError('exhausted', [failureMessage(text, [String(webhookBounds.perAccount)])]);
    },
    listWebhooks: async ({ accountId }, call) => {
      enabled();
      requireAccount(accountId);
      return { webhooks: (await webhooksOf(duringCall(readPool, call), accountId)).map(shown) };
    },
    listAllWebhooks: async ({ after, limit }, call) => {
      enabled();
      const size = pageSize(limit);
      const found = await webhooksAfter(duringCall(readPool, call), after, size);
      const webhooks = found.map((webhook) => ({ webhook: shown(webhook), accountName: webhook.accountName }));
      return { webhooks, next: found.length < size ? '' : found.at(-1)!.id };
    },
    getWebhook: async (name, call) => {
      enabled();
      return { webhook: shown(requireFound(await findWebhook(duringCall(readPool, call), name), name)) };
    },
    updateWebhook: async ({ properties, ...name }) => {
      const wanted = checked(properties);
      const before = requireFound(await findWebhook(readPool, name), name);
      await requireReceiver(name.accountId, wanted.url);
      if (before.sourceId !== wanted.sourceId || before.signature !== wanted.signature) {
        throw new ServiceError(
          'invalid',
          'The source and the signature of a webhook cannot change: create another one',
        );
      }
      const isSame = before.state === 'active' && before.url === wanted.url;
      const state = properties?.disabled ? 'disabled' : isSame ? 'active' : 'unconfirmed';
      const isByOperator = name.accountId === '';
      const reason = properties?.disabled ? (isByOperator ? byOperator : byOwner) : '';
      const tellOwner = state === 'disabled' && before.state !== 'disabled' && isByOperator;
      const after = await updateWebhook(writePool, name, { ...wanted, state, reason, tellOwner }, clock());
      if (after === undefined) throw await unchanged(name);
      return { webhook: shown(after) };
    },
    deleteWebhook: async (name) => {
      enabled();
      if (!(await deleteWebhook(writePool, name))) throw await unchanged(name);
      return {};
    },
    rotateWebhookSecret: async (name) => {
      enabled();
      return withSecret(requireFound(await rotateSecret(writePool, name, clock()), name));
    },
    listWebhookAttempts: async (name, call) => {
      enabled();
      const db = duringCall(readPool, call);
      requireFound(await findWebhook(db, name), name);
      return { attempts: await attemptsOf(db, name.id) };
    },
    resendWebhook: async ({ what, ...name }) => {
      enabled();
      if (what === undefined) throw new ServiceError('invalid', 'Nothing to deliver was named');
      const webhook = requireFound(await findWebhook(readPool, name), name);
      const newest = await currentSerial(writePool, webhook.sourceId);
      if (what.value > newest) {
        throw new ServiceError('invalid', [failureMessage('The newest serial is %s', [String(newest)])]);
      }
      if (what.$case === 'afterSerial') {
        await moveWebhook(writePool, name, { serial: what.value, newest }, clock());
        return { webhook: shown(requireFound(await findWebhook(writePool, name), name)) };
      }
      const requested = await requestDelivery(writePool, name, what.value, clock());
      if (requested !== undefined) return { webhook: shown(requested) };
      const text = 'At most %d deliveries of a webhook may wait';
      throw new ServiceError('exhausted', [failureMessage(text, [String(webhookBounds.requested)])]);
    },
    claimWebhooks: async (wanted) => {
      const { secrets } = enabled();
      const now = clock();
      const claimed = await claimWebhooks(writePool, leaseOf(wanted, now));
      return {
        webhooks: claimed.map((webhook): ClaimedWebhook => {
          const { claim, accountName, secret, rotated, requested, tellOwner, askedTo } = webhook;
          const bothSign = rotated !== null && now.getTime() - rotated.getTime() < bothSignMs;
          const numbers = bothSign ? [secret, secret - 1] : [secret];
          return {
            ...{ claim, accountName, tellOwner, askedTo },
            webhook: shown(webhook),
            secrets: numbers.map((number) => secrets.of(webhook, number)),
            requested: [...requested],
          };
        }),
      };
    },
    settleWebhooks: async ({ settlements }) => {
      requireFew(settlements);
      const ids = settlements.map(({ id }) => id);
      if (new Set(ids).size < ids.length) throw new ServiceError('invalid', 'One settlement for each webhook');
      if (settlements.some(({ attempts }) => attempts.length > webhookBounds.attempts)) {
        throw new ServiceError('invalid', `At most ${webhookBounds.attempts} attempts in one settlement`);
      }
      if (ids.length === 0) return { ended: [] };
      const now = clock();
      const settled = await settleWebhooks(
        writePool,
        settlements.map((one) => settlementOf(one, now)),
        now,
      );
      return { ended: ids.filter((id) => !settled.has(id)) };
    },
  };
}

function requireAccount(accountId: string): void {
  if (accountId === '') throw new ServiceError('invalid', 'An account is required');
}

function requireFound(webhook: StoredWebhook | undefined, name: WebhookName): StoredWebhook {
  if (webhook === undefined) throw unknown(name);
  return webhook;
}

function stopped(): ServiceError {
  return new ServiceError('conflict', 'The operator has disabled a webhook with this receiver');
}

function unknown({ id }: WebhookName): ServiceError {
  return new ServiceError('not-found', [failureMessage('There is no webhook %s', [id.slice(0, idLength)])]);
}

function storedProperties(properties: WebhookProperties): StoredProperties {
  const { url, description, filter, payload, signature } = properties;
  return {
    url,
    description,
    filter: filterFromWire(filter),
    payload: nameIn(webhookPayloads, payload, 'keys'),
    signature: nameIn(webhookSignatures, signature, 'v1'),
  };
}

function wireProperties(webhook: StoredWebhook, source: string): WebhookProperties {
  const { url, description, filter, payload, signature, state } = webhook;
  return {
    ...{ url, description, source },
    filter: filterToWire(filter),
    payload: webhookPayloads[payload],
    signature: webhookSignatures[signature],
    disabled: state === 'disabled',
  };
}

function settlementOf(settlement: WebhookSettlement, now: Date): StoredSettlement {
  const { attempts, releaseSeconds, requested, ...one } = settlement;
  return {
    ...one,
    requested,
    due: releaseSeconds === undefined ? undefined : secondsAfter(now, Math.min(releaseSeconds, maxRetrySeconds)),
    attempts: attempts.map((attempt) => attemptOf(attempt, now)),
  };
}

function attemptOf(attempt: WebhookAttempt, now: Date): Omit<StoredAttempt, 'id'> {
  const { eventId, serial, instant = now, status, durationMs, error, response } = attempt;
  // A single text that PostgreSQL refuses would fail the settlements of all.
  const storable = (text: string, max: number) =>
    text
      .replace(/\p{Cc}+/gu, ' ')
      .slice(0, max)
      .toWellFormed();
  return {
    ...{ serial, instant, status, durationMs },
    eventId: storable(eventId, maxErrorLength),
    error: storable(error, maxErrorLength),
    response: storable(response, maxResponseLength),
  };
}
