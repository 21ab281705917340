import {
  ChangeFeedServiceService,
  NotificationServiceService,
  ObjectReaderServiceService,
  WebhookServiceService,
} from '@cadastre/proto/objects';
import { type ConnectOptions, connect, type RpcClient } from '@cadastre/service';

/** The outbox of the objects service. */
export type Outbox = Pick<
  RpcClient<typeof NotificationServiceService>,
  'claimNotifications' | 'settleNotifications' | 'reportBounce' | 'unsubscribe' | 'checkMailToken'
>;

/** The webhooks that the objects service has. */
export type Webhooks = Pick<RpcClient<typeof WebhookServiceService>, 'claimWebhooks' | 'settleWebhooks'>;

/** The changes of sources. */
export type ChangeFeed = Pick<RpcClient<typeof ChangeFeedServiceService>, 'listChanges'>;

/** The objects and sources. */
export type ObjectReader = Pick<RpcClient<typeof ObjectReaderServiceService>, 'batchLookup' | 'listSources'>;

/** What this service calls of the objects service. */
export interface Objects {
  readonly outbox: Outbox;
  readonly webhooks: Webhooks;
  readonly feed: ChangeFeed;
  readonly reader: ObjectReader;
  close(): void;
}

const deadlineMs = 10_000;

/** Clients that connect on the first call. A settled notification may be settled again: only the first time counts. */
export function connectObjects(o: Pick<ConnectOptions, 'address' | 'tls' | 'metrics'>): Objects {
  const options = { ...o, name: 'events', deadlineMs };
  const outbox = connect(NotificationServiceService, {
    ...options,
    idempotent: ['settleNotifications', 'reportBounce', 'unsubscribe', 'checkMailToken'],
  });
  const webhooks = connect(WebhookServiceService, { ...options, resendsUnseen: true });
  const feed = connect(ChangeFeedServiceService, { ...options, idempotent: ['listChanges'] });
  const reader = connect(ObjectReaderServiceService, { ...options, idempotent: ['batchLookup', 'listSources'] });
  const all = [outbox, webhooks, feed, reader];
  return { outbox, webhooks, feed, reader, close: () => all.forEach((client) => void client.close()) };
}
