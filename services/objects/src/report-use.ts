import { type Metrics, readInBackground } from '@cadastre/service';
import { Gauge } from 'prom-client';
import type { Context } from './context.js';
import { payingMntner } from './domain/storage-quota.js';
import { type WaitingNotifications, waitingNotificationsQuery } from './store/notices.js';
import { type UnfinishedReplace, unfinishedReplaces } from './store/staged.js';
import { largestMntnersQuery } from './store/storage-use.js';
import { type WebhookStates, webhookStates } from './store/webhooks.js';

/** A mntner is near its limit when it has stored this share of it. */
const near = 0.8;

/** Registers the number of mntners that have reached their limit, or are near it. */
export function reportStorage(
  metrics: Metrics,
  { readPool, storageQuota: quota }: Pick<Context, 'readPool' | 'storageQuota'>,
): void {
  const smallest = Math.min(quota.perMntner, ...quota.overrides.values());
  if (smallest === Infinity) return;
  const largest = readInBackground<{ payer: string; bytes: bigint }>(readPool, largestMntnersQuery(near * smallest));
  new Gauge({
    name: 'cadastre_storage_mntners_near_limit',
    help: 'Number of mntners that have used 80 % of their quota',
    registers: [metrics],
    collect() {
      const isNear = ({ payer, bytes }: { payer: string; bytes: bigint }) =>
        Number(bytes) >= near * payingMntner(payer.replace(/^mntner:/, ''), quota).limit;
      this.set(largest().filter(isNear).length);
    },
  });
}

/**
 * Registers since when (Unix time) readers of a source see a part of a replacing load that is not finished; no sample
 * otherwise.
 */
export function reportUnfinishedReplaces(
  metrics: Metrics,
  { sources, readPool }: Pick<Context, 'sources' | 'readPool'>,
): void {
  const unfinished = readInBackground<UnfinishedReplace>(readPool, unfinishedReplaces);
  new Gauge({
    name: 'cadastre_replacing_since_seconds',
    help: 'Unix time since which readers see a part of a replacing load that is not finished',
    labelNames: ['source'],
    registers: [metrics],
    collect() {
      this.reset();
      for (const { source, since } of unfinished()) if (sources.byName(source)) this.set({ source }, +since / 1000);
    },
  });
}

/** Registers the number of webhooks by state, and the longest wait for an events service. At most a minute old. */
export function reportWebhooks(metrics: Metrics, { readPool }: Pick<Context, 'readPool'>): void {
  const states = readInBackground<WebhookStates>(readPool, webhookStates);
  new Gauge({
    name: 'cadastre_webhooks',
    help: 'Number of webhooks by state: unconfirmed, active, or disabled',
    labelNames: ['state'],
    registers: [metrics],
    collect() {
      this.reset();
      for (const { state, count } of states()) this.set({ state }, count);
    },
  });
  new Gauge({
    name: 'cadastre_webhooks_waiting_seconds',
    help: 'Longest time for which a webhook with something to deliver waits for an events service',
    registers: [metrics],
    collect() {
      this.set(Math.max(0, ...states().map(({ waiting }) => waiting)));
    },
  });
}

/** Registers the number of waiting notifications and the age of the oldest one. */
export function reportWaitingNotifications(metrics: Metrics, { readPool }: Pick<Context, 'readPool'>): void {
  const waiting = readInBackground<WaitingNotifications>(readPool, waitingNotificationsQuery);
  new Gauge({
    name: 'cadastre_notifications_waiting',
    help: 'Number of notifications that are not sent yet',
    registers: [metrics],
    collect() {
      for (const { count } of waiting()) this.set(count);
    },
  });
  new Gauge({
    name: 'cadastre_notifications_oldest_seconds',
    help: 'Age of the oldest notification that is not sent yet; 0 without one',
    registers: [metrics],
    collect() {
      for (const { oldest } of waiting()) this.set(oldest ? Math.max(0, (Date.now() - oldest.getTime()) / 1000) : 0);
    },
  });
}
