import {
  type Notification,
  NotificationSection,
  NotificationServiceService,
  NotificationState,
  type NotifiedChange,
  NotifiedOperation,
  type Settlement,
} from '@cadastre/proto/objects';
import { ServiceError } from '@cadastre/service';
import { inMemoryClient } from '@cadastre/service/testing';
import type { Outbox } from '../src/objects-client.js';

const unused = () => {
  throw new ServiceError('internal', 'not used');
};

/**
 * An outbox in memory: each claim gets every waiting notification that is due; `due` is in seconds. Renewals of a claim
 * are not settlements. `beforeSettled` may make a settlement fail; its argument is the number of notifications.
 */
export function outboxOf(
  notifications: Notification[],
  beforeSettled: (settlements: number) => void = () => {},
): Outbox & {
  settled: Settlement[];
  renewals: Settlement[];
  advance(seconds: number): void;
} {
  let now = 0;
  let lease = 0;
  const waiting = notifications.map((notification) => ({ notification, due: 0 }));
  const settled: Settlement[] = [];
  const renewals: Settlement[] = [];
  const client = inMemoryClient(NotificationServiceService, {
    claimNotifications: async ({ limit, leaseSeconds }) => {
      lease = leaseSeconds;
      const due = waiting.filter((one) => one.due <= now).slice(0, limit);
      for (const one of due) {
        one.due = now + leaseSeconds;
        one.notification = { ...one.notification, attempts: one.notification.attempts + 1 };
      }
      return { notifications: due.map(({ notification }) => notification), more: due.length > 0 };
    },
    settleNotifications: async ({ settlements }) => {
      for (const settlement of settlements) {
        const isWaiting = settlement.state === NotificationState.NOTIFICATION_STATE_WAITING;
        const isRenewal = isWaiting && settlement.retrySeconds === lease;
        (isRenewal ? renewals : settled).push(settlement);
        if (!isRenewal) beforeSettled(settled.length);
        const at = waiting.findIndex(({ notification }) => notification.id === settlement.id);
        if (isWaiting) {
          waiting[at]!.due = now + settlement.retrySeconds;
        } else waiting.splice(at, 1);
      }
      return { changed: settlements.length };
    },
    listNotifications: unused,
    getNotification: unused,
    resendNotifications: unused,
    confirm: unused,
    unsubscribe: unused,
  });
  return {
    ...client,
    settled,
    renewals,
    advance: (seconds) => {
      now += seconds;
    },
  };
}

export const change = (more: Partial<NotifiedChange> = {}): NotifiedChange => ({
  section: NotificationSection.NOTIFICATION_SECTION_CHANGED,
  operation: NotifiedOperation.NOTIFIED_OPERATION_MODIFY,
  type: 'route',
  key: '192.0.2.0/24as64500',
  revisionBefore: 1,
  revisionAfter: 2,
  textBefore: 'route: 192.0.2.0/24\ndescr: old\norigin: AS64500\nsource: TEST\n',
  textAfter: 'route: 192.0.2.0/24\ndescr: new\norigin: AS64500\nsource: TEST\n',
  reason: '',
  ...more,
});

export const notification = (more: Partial<Notification> = {}): Notification => ({
  id: 42n,
  address: 'noc@example.org',
  source: 'TEST',
  state: NotificationState.NOTIFICATION_STATE_WAITING,
  attempts: 0,
  instant: new Date('2026-01-02T03:04:05Z'),
  due: undefined,
  error: '',
  changedBy: 'alice@example.net',
  replyTo: '',
  unsubscribeToken: '0b5ab7f2-5f0e-4a0e-8a1c-2f7f0c9b6f11',
  changes: [change()],
  confirms: false,
  ...more,
});
