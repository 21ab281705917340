import { NotificationServiceService } from '@cadastre/proto/objects';
import { type ConnectOptions, connect, type RpcClient } from '@cadastre/service';

/** The outbox of the objects service. */
export type Outbox = Pick<
  RpcClient<typeof NotificationServiceService>,
  'claimNotifications' | 'settleNotifications'
> & { close(): void };

const deadlineMs = 10_000;

/** A client that connects on the first call. A settlement may be repeated: only the first one counts. */
export function connectOutbox(o: Pick<ConnectOptions, 'address' | 'tls' | 'metrics'>): Outbox {
  const idempotent = ['settleNotifications'] as const;
  return connect(NotificationServiceService, { ...o, name: 'events', deadlineMs, idempotent: [...idempotent] });
}
