import {
  type Notification,
  NotificationSection,
  type NotificationServiceService,
  NotificationState,
  type NotifiedChange,
  NotifiedOperation,
} from '@cadastre/proto/objects';
import { maskObject, type ObjectTypeName, parseReadable, printObject } from '@cadastre/rpsl';
import { duringCall, failureMessage, type Handlers, inTransaction, ServiceError } from '@cadastre/service';
import type pg from 'pg';
import type { Context } from '../context.js';
import type { Action } from '../domain/change.js';
import { isReachable } from '../domain/mail-address.js';
import type { NoticedChange } from '../domain/notices.js';
import type { Section } from '../domain/notified-emails.js';
import { loadEmailMarks, putEmailMark, recordUndelivered, removeEmailMark } from '../store/email-marks.js';
import { confirmAddresses, confirmedAddresses, requestConfirmations } from '../store/mail-addresses.js';
import {
  addressOfToken,
  advanceTurns,
  type ClaimedNotification,
  claimNotifications,
  getNotification,
  listNotifications,
  loadStates,
  makeRequests,
  type NotifiedState,
  resendNotifications,
  type NotificationState as State,
  type StoredNotification,
  settleNotifications,
  unsubscribeTokens,
} from '../store/notices.js';
import type { Db } from '../store/stored-object.js';
import { leaseOf, pageSize, requireFew, secondsAfter } from './claims.js';

const maxErrorCharacters = 500;
const maxRetrySeconds = 7 * 24 * 3_600;

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
  context: Pick<Context, 'sources' | 'readPool' | 'writePool' | 'clock' | 'logAddress'>,
): Handlers<typeof NotificationServiceService> {
  const { readPool, writePool, clock, logAddress } = context;
  const nameOf = (sourceId: number) => context.sources.all.find(({ id }) => id === sourceId)?.name ?? '';
  const logUndeliverable = (addresses: readonly string[]) => {
    for (const address of addresses) logAddress(address, 'marked an address as undeliverable');
  };
  const shown = (one: Omit<StoredNotification, 'entries' | 'changes'>, more: Partial<Notification> = {}) => ({
    ...one,
    source: nameOf(one.sourceId),
    state: states[one.state],
    unsubscribeToken: '',
    changes: [],
    ...more,
  });
  return {
    claimNotifications: async (requested, { signal }) => {
      const now = clock();
      const lease = leaseOf(requested, now);
      const claim = await inTransaction(
        writePool,
        async (db) => {
          const { claimed: all, more } = await claimNotifications(db, lease);
          if (all.length === 0) return undefined;
          await advanceTurns(db, all);
          const unreachable = all.filter(({ address }) => !isReachable(address));
          const unwanted = await unwantedAddresses(db, all);
          const skipped = all.filter((one) => !unreachable.includes(one) && unwanted.has(one.folded));
          await skip(db, skipped, 'the address gets no notifications');
          await skip(db, unreachable, 'this is no e-mail address');
          const remaining = all.filter((one) => !unreachable.includes(one) && !skipped.includes(one));
          const { requests, sendable } = await withConfirmations(db, remaining, now);
          const going = [...requests, ...sendable].sort((a, b) => Number(a.id - b.id));
          const addresses = going.map(({ folded }) => folded);
          return { going, more, unreachable, tokens: await unsubscribeTokens(db, addresses) };
        },
        { signal },
      );
      if (claim === undefined) return { notifications: [], more: false };
      for (const { folded } of claim.unreachable) logAddress(folded, 'cannot notify a value that is no e-mail address');
      const { going, tokens } = claim;
      const changes = await notifiedChanges(readPool, going);
      const notifications = going.map((one, at) => {
        return shown(one, {
          unsubscribeToken: tokens.get(one.folded)!,
          ...(!one.confirms && { changes: changes[at]! }),
        });
      });
      return { notifications, more: claim.more };
    },
    settleNotifications: async ({ settlements }) => {
      requireFew(settlements);
      const now = clock();
      const settled = settlements.map(({ id, attempt, state, retrySeconds, error }) => ({
        id,
        attempt,
        state: requireState(state),
        due: secondsAfter(now, Math.min(retrySeconds, maxRetrySeconds)),
        error: error.replace(/\p{Cc}+/gu, ' ').slice(0, maxErrorCharacters),
      }));
      const refused = new Set(settlements.filter((one) => one.recipientRefused).map(({ id }) => id));
      const { changed, undeliverable } = await inTransaction(writePool, async (db) => {
        const changed = await settleNotifications(db, settled);
        const failed = changed.filter(({ id }) => refused.has(id));
        const marked = failed.length === 0 ? [] : await recordUndelivered(db, failed, now);
        return { changed: changed.length, undeliverable: marked };
      });
      logUndeliverable(undeliverable);
      return { changed };
    },
    listNotifications: async ({ state, after, limit }, call) => {
      const only = state === NotificationState.NOTIFICATION_STATE_UNSPECIFIED ? undefined : requireState(state);
      const size = pageSize(limit);
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
      const [changes] = await notifiedChanges(db, [found]);
      return { notification: shown(found, { changes: changes! }) };
    },
    resendNotifications: async ({ ids }) => {
      requireFew(ids);
      return { changed: await resendNotifications(writePool, ids, clock()) };
    },
    unsubscribe: async ({ token }) => {
      await putEmailMark(writePool, [await requireAddress(token)], 'unsubscribed', clock());
      return {};
    },
    confirm: async ({ token }) => {
      const address = await requireAddress(token);
      await inTransaction(writePool, async (db) => {
        await confirmAddresses(db, [address], clock());
        await removeEmailMark(db, [address], 'unsubscribed');
      });
      return {};
    },
  };

  /** The address whose owner has this token. */
  async function requireAddress(token: string): Promise<string> {
    const isToken = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(token);
    const address = isToken ? await addressOfToken(readPool, token) : undefined;
    if (address === undefined) throw new ServiceError('not-found', 'This link is not valid');
    return address;
  }
}

function requireState(wire: NotificationState): State {
  const state = statesOfWire.get(wire);
  if (state === undefined) throw new ServiceError('invalid', 'No such state of a notification');
  return state;
}

/** The claimed addresses that get no notifications. */
async function unwantedAddresses(db: Db, claimed: readonly StoredNotification[]): Promise<ReadonlySet<string>> {
  const marks = await loadEmailMarks(db, [...new Set(claimed.map(({ folded }) => folded))]);
  const isUnwanted = ([, of]: readonly [string, ReadonlySet<string>]) =>
    of.has('undeliverable') || of.has('unsubscribed');
  return new Set([...marks].filter(isUnwanted).map(([address]) => address));
}

/**
 * Of claimed notifications, those about changes, whose addresses must be confirmed, and those that request the
 * confirmation. Skips the others: no one sends them later.
 */
async function withConfirmations(
  db: Db,
  claimed: readonly ClaimedNotification[],
  now: Date,
): Promise<Record<'requests' | 'sendable', readonly ClaimedNotification[]>> {
  const addresses = claimed.map(({ folded }) => folded);
  const confirmed = await confirmedAddresses(db, addresses);
  const [notified, unconfirmed] = [true, false].map((is) =>
    claimed.filter(({ folded }) => confirmed.has(folded) === is),
  );
  const sendable = notified!.map((one) => ({ ...one, confirms: false }));
  const again = unconfirmed!.filter(({ confirms }) => confirms);
  const others = unconfirmed!.filter(({ confirms }) => !confirms);
  if (others.length === 0) return { requests: again, sendable };
  const open = await requestConfirmations(db, others, now);
  const first = new Map(others.toReversed().map((one) => [one.folded, one]));
  const requests = [...first.values()].filter(({ folded }) => open.has(folded));
  await makeRequests(db, requests);
  await skip(
    db,
    others.filter((one) => !requests.includes(one)),
    'the address is not confirmed',
  );
  return { requests: [...again, ...requests.map((one) => ({ ...one, confirms: true }))], sendable };
}

async function skip(db: Db, skipped: readonly StoredNotification[], error: string): Promise<void> {
  if (skipped.length === 0) return;
  const settled = { state: 'skipped', error } as const;
  await settleNotifications(
    db,
    skipped.map(({ id, attempts, due }) => ({ id, attempt: attempts, due, ...settled })),
  );
}

/** The changes of each notification, with their texts. */
async function notifiedChanges(
  db: Db | pg.Pool,
  notifications: readonly StoredNotification[],
): Promise<NotifiedChange[][]> {
  const states = new Map<string, NotifiedState>();
  for (const { sourceId, entries, changes } of notifications) {
    for (const { section, change } of entries)
      for (const one of statesOf(sourceId, section, changes[change]!)) states.set(nameOf(one), one);
  }
  const loaded = await loadStates(db, [...states.values()]);
  const stateOf = new Map([...states.keys()].map((name, at) => [name, loaded[at]]));
  return notifications.map(({ sourceId, entries, changes }) =>
    entries.map(({ section, change }) => {
      const noticed = changes[change]!;
      const { operation, type, key, before, after, reason, wanted = '' } = noticed;
      const states = statesOf(sourceId, section, noticed);
      const find = (revision: number) => {
        const state = states.find((one) => one.revision === revision);
        return state && stateOf.get(nameOf(state));
      };
      const read = (revision: number) => {
        const object = parseReadable(find(revision)?.text ?? '');
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
        serial: find(madeRevision(section, noticed))?.serial,
      };
    }),
  );
}

/** The stored states that a notification shows of a change, and the one that the change made, for its serial. */
function statesOf(sourceId: number, section: Section, noticed: NoticedChange): NotifiedState[] {
  const { type, key, before, after, size } = noticed;
  const shown = size === 0 ? [] : [before, after];
  const revisions = [...new Set([...shown, madeRevision(section, noticed)])].filter((revision) => revision > 0);
  return revisions.map((revision) => ({
    sourceId,
    type: type as ObjectTypeName,
    key,
    revision,
    withText: shown.includes(revision),
  }));
}

/** The revision that a change made, of a deletion too; 0 for a refused change. */
function madeRevision(section: Section, { operation, before, after }: NoticedChange): number {
  return operation === 'delete' && section !== 'refused' ? before + 1 : after;
}

function nameOf({ sourceId, type, key, revision, withText }: NotifiedState): string {
  return `${sourceId} ${type} ${revision} ${withText} ${key}`;
}
