import { type Metrics, readInBackground } from '@cadastre/service';
import { Gauge } from 'prom-client';
import type { Context } from './context.js';
import { type WebhookStates, webhookStates } from './store/webhooks.js';

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
