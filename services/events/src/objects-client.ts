import {
  ChangeFeedServiceService,
  NotificationServiceService,
  ObjectReaderServiceService,
  WebhookServiceService,
} from '@cadastre/proto/objects';
import { openPeer, type PeerOptions, type RpcClient } from '@cadastre/service';

/** The outbox of the objects service. */
export type Outbox = Pick<RpcClient<typeof NotificationServiceService>, 'claimNotifications' | 'settleNotifications'>;

/** The webhooks of the objects service. */
export type Webhooks = Pick<RpcClient<typeof WebhookServiceService>, 'claimWebhooks' | 'settleWebhooks'>;

/** The changes of sources. */
export type ChangeFeed = Pick<RpcClient<typeof ChangeFeedServiceService>, 'listChanges'>;

/** The objects and sources. */
export type ObjectReader = Pick<RpcClient<typeof ObjectReaderServiceService>, 'batchLookup' | 'listSources'>;

/** The methods of the objects service that this service calls. */
export interface Objects {
  readonly outbox: Outbox;
  readonly webhooks: Webhooks;
  readonly feed: ChangeFeed;
  readonly reader: ObjectReader;
  close(): void;
}

const deadlineMs = 10_000;

/** Clients that connect on the first call. */
export function connectObjects(o: Pick<PeerOptions, 'address' | 'tls' | 'metrics'>): Objects {
  const peer = openPeer(o);
  return {
    outbox: peer.client(NotificationServiceService, { deadlineMs }),
    webhooks: peer.client(WebhookServiceService, { deadlineMs }),
    feed: peer.client(ChangeFeedServiceService, { deadlineMs }),
    reader: peer.client(ObjectReaderServiceService, { deadlineMs }),
    close: peer.close,
  };
}
