import { type Notification, NotificationState, type Settlement } from '@cadastre/proto/objects';
import {
  createBatcher,
  errorText,
  type Logger,
  type Metrics,
  pause,
  type Service,
  ServiceError,
} from '@cadastre/service';
import { Counter } from 'prom-client';
import { claimLoop } from '../claim-loop.js';
import type { Outbox } from '../objects-client.js';
import { composeMail, type Sender } from './compose.js';
import { MailFailure, type MailTransport } from './transport.js';

/** How long the mails of a process that died wait. */
const leaseSeconds = 30;
/** Interval of renewing claims, as long as their mails are not settled. */
const defaultRenewalMs = 10_000;
/** A claim costs several statements, however many mails it has. */
const claimedPerConnection = 25;
/**
 * Timeouts of one attempt to settle a mail, and of all: with the pause between renewals they are shorter than the
 * lease.
 */
const settleDeadlineMs = 5_000;
const settleMs = 10_000;
const settlePauseMs = 200;

export interface MailSenderOptions {
  readonly outbox: Pick<Outbox, 'claimNotifications' | 'settleNotifications'>;
  readonly transport: Pick<MailTransport, 'send'>;
  readonly sender: Sender;
  readonly connections: number;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Pause when no notification is due. */
  readonly pollMs?: number | undefined;
  /** Pause between renewals of the claims. */
  readonly renewalMs?: number | undefined;
}

type Outcome = Pick<Settlement, 'state' | 'retrySeconds' | 'error' | 'recipientRefused'>;

/**
 * Claims notifications and sends them as mails until it is stopped; then it finishes the mails in progress and releases
 * the others. Settles each mail when its own attempt has ended, together with others that ended meanwhile.
 */
export function mailSender(o: MailSenderOptions): Service {
  const { outbox, connections, logger, pollMs, renewalMs = defaultRenewalMs } = o;
  const count = mailCounters(o.metrics);
  const settle = createBatcher<Settlement, void>({
    size: 1_000,
    callsInFlight: 1,
    deadlineMs: settleDeadlineMs,
    send: async (items, call) => {
      await outbox.settleNotifications({ settlements: [...items] }, call);
      return items.map(() => ({ answer: undefined }));
    },
  });
  /** Retries while objects is unavailable: a mail whose settlement is lost would be sent again. */
  const settleAgain = async (settlement: Settlement, signal: AbortSignal) => {
    for (const end = performance.now() + settleMs; ; await pause(settlePauseMs, signal)) {
      try {
        return await settle(settlement);
      } catch (error) {
        const mayWorkLater = error instanceof ServiceError && ['unavailable', 'timeout'].includes(error.kind);
        if (!mayWorkLater || signal.aborted || performance.now() > end) throw error;
      }
    }
  };
  /** Renews the claims of the mails that are not settled. */
  const renew = async (unsettled: ReadonlySet<Notification>) => {
    if (unsettled.size === 0) return;
    const { NOTIFICATION_STATE_WAITING: state } = NotificationState;
    const settlements = [...unsettled].map(({ id, attempts: attempt, error }) => {
      return { id, attempt, state, retrySeconds: leaseSeconds, error };
    });
    await outbox.settleNotifications({ settlements }).catch(warn);
  };
  const warn = (error: unknown) => logger.warn({ reason: errorText(error) }, 'cannot renew claims of notifications');
  const handle = async (notification: Notification, unsettled: Set<Notification>, signal: AbortSignal) => {
    const { id, attempts: attempt } = notification;
    const isOurs = notification.address.toLowerCase() === o.sender.from.toLowerCase();
    const outcome = isOurs ? ownAddress : signal.aborted ? givenBack : await attemptOf(o, notification, count);
    unsettled.delete(notification);
    await settleAgain({ id, attempt, ...outcome }, signal);
  };
  return claimLoop({
    ...{ failure: 'cannot claim or settle notifications', logger, pollMs },
    async claim() {
      const limit = connections * claimedPerConnection;
      const { notifications: claimed, more } = await outbox.claimNotifications({ limit, leaseSeconds });
      return { claimed, more };
    },
    async work(notifications, signal) {
      const unsettled = new Set(notifications);
      const renewal = setInterval(() => void renew(unsettled), renewalMs);
      await workOnAll(notifications, connections, (one) => handle(one, unsettled, signal)).finally(() =>
        clearInterval(renewal),
      );
    },
  });
}

const givenBack: Outcome = { state: NotificationState.NOTIFICATION_STATE_WAITING, retrySeconds: 0, error: '' };

/** Mails to the address of the sender would only come back. */
const ownAddress: Outcome = {
  state: NotificationState.NOTIFICATION_STATE_SKIPPED,
  retrySeconds: 0,
  error: 'mails come from this address',
};

/** Counts an attempt; `failure` is absent when the mail was sent. */
type CountMail = (outcome: 'sent' | 'retried' | 'failed', failure?: MailFailure) => void;

/** Tries to send one mail. Logs and metrics have its id and codes, never its address. */
async function attemptOf(
  { transport, sender, logger }: MailSenderOptions,
  notification: Notification,
  count: CountMail,
): Promise<Outcome> {
  const { id, attempts } = notification;
  try {
    await transport.send(composeMail(notification, sender));
    count('sent');
    return { state: NotificationState.NOTIFICATION_STATE_SENT, retrySeconds: 0, error: '' };
  } catch (cause) {
    const failure = cause instanceof MailFailure ? cause : new MailFailure(cause);
    const retrySeconds = failure.isPermanent ? undefined : pauseAfter(attempts);
    const outcome = retrySeconds === undefined ? 'failed' : 'retried';
    count(outcome, failure);
    logger.warn({ notification: String(id), attempts, code: failure.code, outcome }, 'a mail was not accepted');
    return {
      state:
        retrySeconds === undefined
          ? NotificationState.NOTIFICATION_STATE_FAILED
          : NotificationState.NOTIFICATION_STATE_WAITING,
      retrySeconds: retrySeconds ?? 0,
      error: failure.message,
      recipientRefused: failure.class === 'recipient',
    };
  }
}

/** Works on all items, a bounded number concurrently; ends when all have ended, and throws the first error. */
async function workOnAll<T>(items: readonly T[], atATime: number, work: (item: T) => Promise<void>): Promise<void> {
  const queue = items.values();
  const worker = async () => {
    for (const item of queue) await work(item);
  };
  const ended = await Promise.allSettled(Array.from({ length: atATime }, worker));
  const failed = ended.find((one) => one.status === 'rejected');
  if (failed) throw failed.reason;
}

function mailCounters(metrics: Metrics): CountMail {
  const mails = new Counter({
    name: 'cadastre_mails_total',
    help: 'Number of attempts to send a mail by outcome; when it was not accepted, also by class (connection, temporary, recipient, refused) and by the code of the mail server',
    labelNames: ['outcome', 'class', 'code'],
    registers: [metrics],
  });
  return (outcome, failure) => mails.inc({ outcome, class: failure?.class ?? '', code: failure?.code ?? '' });
}

const minute = 60;
const hour = 60 * minute;

/** Pauses after the first failed attempts, in seconds; then one attempt an hour. */
const firstPauses = [10, minute, 5 * minute, 30 * minute];
const hourlyAttempts = 48;

/** Seconds until the next attempt after this number of failures; undefined: give up, after two days. */
export function pauseAfter(attempts: number): number | undefined {
  if (attempts <= firstPauses.length) return firstPauses[attempts - 1];
  return attempts <= firstPauses.length + hourlyAttempts ? hour : undefined;
}
