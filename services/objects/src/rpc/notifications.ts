import {
  type Notification,
  NotificationSection,
  type NotificationServiceService,
  NotificationState,
  type NotifiedChange,
  NotifiedOperation,
} from '@cadastre/proto/objects';
import { maskObject, type ObjectTypeName, printObject } from '@cadastre/rpsl';
import { duringCall, failureMessage, type Handlers, inTransaction, ServiceError } from '@cadastre/service';
import type pg from 'pg';
import type { Context } from '../context.js';
import type { Action } from '../domain/change.js';
import type { NoticedChange } from '../domain/notices.js';
import type { Section } from '../domain/notified-emails.js';
import { loadEmailMarks, putEmailMark } from '../store/email-marks.js';
import {
  addressOfToken,
  claimNotifications,
  getNotification,
  listNotifications,
  loadStates,
  resendNotifications,
  type NotificationState as State,
  type StoredNotification,
  settleNotifications,
  type ToldState,
  unsubscribeTokens,
} from '../store/notices.js';
import { parseReadable } from '../store/parse-stored.js';
import type { Db } from '../store/stored-object.js';

const maxClaims = 100;
const maxListed = 1_000;
const maxSettled = 1_000;
const longestErrorKept = 500;
const longestLeaseSeconds = 3_600;
const longestRetrySeconds = 7 * 24 * 3_600;

const states: Record<State, NotificationState> = {
  waiting: NotificationState.NOTIFICATION_STATE_WAITING,
  sent: NotificationState.NOTIFICATION_STATE_SENT,
  failed: NotificationState.NOTIFICATION_STATE_FAILED,
  skipped: NotificationState.NOTIFICATION_STATE_SKIPPED,
};
const statesOfWire = new Map(Object.entries(states).map(([state, wire]) => [wire, state as State]));

const sections: Record<Section, NotificationSection> = {
  refused: NotificationSection.NOTIFICATION_SECTION_REFUSED,
  changed: NotificationSection.NOTIFICATION_SECTION_CHANGED,
  referenced: NotificationSection.NOTIFICATION_SECTION_REFERENCED,
};

const operations: Record<Action, NotifiedOperation> = {
  create: NotifiedOperation.NOTIFIED_OPERATION_CREATE,
  modify: NotifiedOperation.NOTIFIED_OPERATION_MODIFY,
  delete: NotifiedOperation.NOTIFIED_OPERATION_DELETE,
};

export function notificationHandlers(
  context: Pick<Context, 'sources' | 'readPool' | 'writePool' | 'clock'>,
): Handlers<typeof NotificationServiceService> {
  const { readPool, writePool, clock } = context;
  const nameOf = (sourceId: number) => context.sources.all.find(({ id }) => id === sourceId)?.name ?? '';
  const shown = (one: Omit<StoredNotification, 'entries' | 'changes'>, more: Partial<Notification> = {}) => ({
    ...one,
    source: nameOf(one.sourceId),
    state: states[one.state],
    unsubscribeToken: '',
    changes: [],
    ...more,
  });
  return {
    claimNotifications: async ({ limit, leaseSeconds }, { signal }) => {
      if (leaseSeconds < 1 || leaseSeconds > longestLeaseSeconds) {
        throw new ServiceError('invalid', `The lease must be 1 to ${longestLeaseSeconds} seconds`);
      }
      const now = clock();
      const leaseEnd = new Date(now.getTime() + leaseSeconds * 1000);
      const size = limit === 0 ? maxClaims : Math.min(limit, maxClaims);
      const { claimed, wanted, tokens } = await inTransaction(
        writePool,
        async (db) => {
          const all = await claimNotifications(db, { limit: size, now, leaseEnd });
          const unwanted = await unwantedAddresses(db, all);
          const kept = all.filter(({ folded }) => !unwanted.has(folded));
          const skipped = all.filter(({ folded }) => unwanted.has(folded));
          await skip(db, skipped);
          return {
            claimed: all.length,
            wanted: kept,
            tokens: await unsubscribeTokens(
              db,
              kept.map(({ folded }) => folded),
            ),
          };
        },
        { signal },
      );
      const told = await toldChanges(readPool, wanted);
      const notifications = wanted.map((one, at) =>
        shown(one, { unsubscribeToken: tokens.get(one.folded) ?? '', changes: told[at]! }),
      );
      return { notifications, more: claimed > 0 };
    },
    settleNotifications: async ({ settlements }) => {
      requireFew(settlements, maxSettled);
      const now = clock().getTime();
      const settled = settlements.map(({ id, attempt, state, retrySeconds, error }) => ({
        id,
        attempt,
        state: requireState(state),
        due: new Date(now + Math.min(retrySeconds, longestRetrySeconds) * 1000),
        error: error.replace(/\p{Cc}+/gu, ' ').slice(0, longestErrorKept),
      }));
      return { changed: await settleNotifications(writePool, settled) };
    },
    listNotifications: async ({ state, after, limit }, call) => {
      const only = state === NotificationState.NOTIFICATION_STATE_UNSPECIFIED ? undefined : requireState(state);
      const size = limit === 0 ? maxListed : Math.min(limit, maxListed);
      const found = await listNotifications(duringCall(readPool, call), { state: only, after, limit: size });
      return {
        notifications: found.map((one) => shown(one)),
        next: found.length === size ? found.at(-1)!.id : 0n,
      };
    },
    getNotification: async ({ id }, call) => {
      const db = duringCall(readPool, call);
      const found = await getNotification(db, id);
      if (found === undefined) {
        throw new ServiceError('not-found', [failureMessage('There is no notification %s', [String(id)])]);
      }
      const [changes = []] = await toldChanges(db, [found]);
      return { notification: shown(found, { changes }) };
    },
    resendNotifications: async ({ ids }) => {
      requireFew(ids, maxSettled);
      return { changed: await resendNotifications(writePool, ids, clock()) };
    },
    unsubscribe: async ({ token }) => {
      const isToken = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(token);
      const address = isToken ? await addressOfToken(readPool, token) : undefined;
      if (address === undefined) throw new ServiceError('not-found', 'This link to unsubscribe is not valid');
      await putEmailMark(writePool, [address], 'unsubscribed', clock());
      return {};
    },
  };
}

function requireFew(items: readonly unknown[], most: number): void {
  if (items.length > most) throw new ServiceError('invalid', `At most ${most} in one call`);
}

function requireState(wire: NotificationState): State {
  const state = statesOfWire.get(wire);
  if (state === undefined) throw new ServiceError('invalid', 'No such state of a notification');
  return state;
}

/** Those of the claimed addresses that get no notifications. */
async function unwantedAddresses(db: Db, claimed: readonly StoredNotification[]): Promise<ReadonlySet<string>> {
  const marks = await loadEmailMarks(db, [...new Set(claimed.map(({ folded }) => folded))]);
  const isUnwanted = ([, of]: readonly [string, ReadonlySet<string>]) =>
    of.has('undeliverable') || of.has('unsubscribed');
  return new Set([...marks].filter(isUnwanted).map(([address]) => address));
}

async function skip(db: Db, skipped: readonly StoredNotification[]): Promise<void> {
  if (skipped.length === 0) return;
  const settled = { state: 'skipped', error: 'the address gets no notifications' } as const;
  await settleNotifications(
    db,
    skipped.map(({ id, attempts, due }) => ({ id, attempt: attempts, due, ...settled })),
  );
}

/** The changes that each notification tells, with their texts. */
async function toldChanges(
  db: Db | pg.Pool,
  notifications: readonly StoredNotification[],
): Promise<NotifiedChange[][]> {
  const states = new Map<string, ToldState>();
  for (const { sourceId, entries, changes } of notifications) {
    for (const { change } of entries)
      for (const one of statesOf(sourceId, changes[change]!)) states.set(nameOf(one), one);
  }
  const texts = await loadStates(db, [...states.values()]);
  const textOf = new Map([...states.keys()].map((name, at) => [name, texts[at]]));
  return notifications.map(({ sourceId, entries, changes }) =>
    entries.map(({ section, change }) => {
      const { operation, type, key, before, after, reason, wanted = '' } = changes[change]!;
      const read = (revision: number) => {
        const state = statesOf(sourceId, changes[change]!).find((one) => one.revision === revision);
        const object = parseReadable((state && textOf.get(nameOf(state))) ?? '');
        return object === undefined ? '' : printObject(maskObject(object));
      };
      return {
        section: sections[section],
        operation: operations[operation],
        type,
        key,
        revisionBefore: before,
        revisionAfter: after,
        textBefore: read(before),
        textAfter: wanted || read(after),
        reason,
      };
    }),
  );
}

/** The stored states that a notification shows of a change. */
function statesOf(sourceId: number, { type, key, before, after, size }: NoticedChange): ToldState[] {
  const revisions = size === 0 ? [] : [before, after].filter((revision) => revision > 0);
  return revisions.map((revision) => ({ sourceId, type: type as ObjectTypeName, key, revision }));
}

function nameOf({ sourceId, type, key, revision }: ToldState): string {
  return `${sourceId} ${type} ${revision} ${key}`;
}
