import { createChangeLog, shownObjects } from '@cadastre/changes';
import type { ClaimedWebhook, Lookup, LookupAnswer, WebhookSettlement } from '@cadastre/proto/objects';
import { createBatcher, errorText, type Logger, type Metrics, type Service } from '@cadastre/service';
import { Counter, Gauge } from 'prom-client';
import { claimLoop } from '../claim-loop.js';
import type { ChangeFeed, ObjectReader, Webhooks } from '../objects-client.js';
import { type DeliveryOptions, type DeliveryOutcome, deliver } from './deliver.js';

/**
 * Longer than a webhook is followed, with a last attempt and its settlement. Webhooks of a process that died wait this
 * long.
 */
const leaseSeconds = 60;
/** Each followed webhook may have four connections, and as many events of 64 KiB in memory. */
const maxFollowed = 500;
const maxClaimed = 100;
const readDeadlineMs = 10_000;
const settleDeadlineMs = 10_000;

export interface WebhookOptions extends Pick<DeliveryOptions, 'base' | 'reach' | 'tellOwner' | 'userAgent' | 'now'> {
  readonly mainSource: string;
  readonly webhooks: Pick<Webhooks, 'claimWebhooks' | 'settleWebhooks'>;
  readonly feed: ChangeFeed;
  readonly reader: ObjectReader;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Pause between two claims. */
  readonly pollMs?: number | undefined;
}

/**
 * Claims webhooks and delivers to them until it is stopped; then it finishes the attempts in progress and releases the
 * webhooks. Follows each webhook independently, so that no slow receiver delays another.
 */
export function webhookDelivery(o: WebhookOptions): Service {
  const { webhooks, feed, reader, logger, metrics, pollMs } = o;
  const changeLog = createChangeLog({ feed, deadlineMs: readDeadlineMs, metrics });
  const followed = new Set<Promise<void>>();
  const delivery: DeliveryOptions = {
    ...o,
    changeLog,
    shownObject: shownObjects(
      o.mainSource,
      createBatcher<Lookup, LookupAnswer>({
        ...{ size: 100, callsInFlight: 2, deadlineMs: readDeadlineMs },
        send: async (lookups, call) => {
          const { answers } = await reader.batchLookup({ lookups: [...lookups] }, call);
          return answers.map((answer) => ({ answer }));
        },
      }),
    ),
    settle: createBatcher<WebhookSettlement, boolean>({
      ...{ size: 500, callsInFlight: 1, deadlineMs: settleDeadlineMs },
      send: async (settlements, call) => {
        const { ended } = await webhooks.settleWebhooks({ settlements: [...settlements] }, call);
        return settlements.map(({ id }) => ({ answer: !ended.includes(id) }));
      },
    }),
    count: deliveryCounter(metrics),
  };
  reportFollowed(metrics, () => followed.size);
  let known: readonly string[] = [];
  const claiming = claimLoop<ClaimedWebhook>({
    ...{ failure: 'cannot claim webhooks', logger, pollMs },
    async claim() {
      const { sources } = await reader.listSources({}).catch((error) => {
        // The registry that comes back may be a restored one.
        for (const name of known) changeLog.forget(name);
        throw error;
      });
      known = sources.map(({ name }) => name);
      for (const { name, serial } of sources) changeLog.reached(name, serial);
      const limit = Math.min(maxClaimed, maxFollowed - followed.size);
      const claimed = limit > 0 ? (await webhooks.claimWebhooks({ limit, leaseSeconds })).webhooks : [];
      return { claimed, more: claimed.length === maxClaimed };
    },
    work(claimed, signal) {
      for (const one of claimed) {
        const following = deliver(delivery, one, signal)
          .catch((error) => {
            // After the lease, another claim repeats what was not settled.
            logger.warn({ webhook: one.webhook?.id, reason: errorText(error) }, 'cannot follow a webhook');
          })
          .finally(() => followed.delete(following));
        followed.add(following);
      }
    },
  });
  return {
    start: () => claiming.start(),
    async stop() {
      await claiming.stop();
      await Promise.all(followed);
    },
  };
}

function deliveryCounter(metrics: Metrics): (outcome: DeliveryOutcome) => void {
  const counter = new Counter({
    name: 'cadastre_webhook_deliveries_total',
    help: 'Number of attempts to deliver an event, by outcome: delivered, or failed; given-up: events after their last attempt',
    labelNames: ['outcome'],
    registers: [metrics],
  });
  return (outcome) => counter.inc({ outcome });
}

function reportFollowed(metrics: Metrics, count: () => number): void {
  new Gauge({
    name: 'cadastre_webhooks_followed',
    help: 'Number of webhooks to which this process delivers',
    registers: [metrics],
    collect() {
      this.set(count());
    },
  });
}
