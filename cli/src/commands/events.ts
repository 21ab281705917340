import { type Notification, NotificationServiceService, NotificationState } from '@cadastre/proto/objects';
import { type Command, Option } from 'commander';
import type { Run } from '../action.js';
import { withClient } from '../clients.js';
import { counted } from '../counted.js';
import { CommandFailure } from '../failure.js';
import { type Io, say } from '../io.js';
import {
  asList,
  asReport,
  inPages,
  type ListOptions,
  nameIn,
  printFacts,
  printJson,
  printList,
  type ReportOptions,
} from './results.js';

const states = {
  waiting: NotificationState.NOTIFICATION_STATE_WAITING,
  sent: NotificationState.NOTIFICATION_STATE_SENT,
  failed: NotificationState.NOTIFICATION_STATE_FAILED,
  skipped: NotificationState.NOTIFICATION_STATE_SKIPPED,
} as const;

type StateName = keyof typeof states;

const maxIds = 1_000;

/** Adds `cadastre events list|show|resend`. */
export function addEventsCommands(program: Command, io: Io, run: Run): void {
  const events = program.command('events').description('Show the notifications that writes caused, and resend them.');
  asList(events.command('list'))
    .description('List notifications of the last two weeks, oldest first.')
    .addOption(new Option('--state <state>', 'only those in this state').choices(Object.keys(states)))
    .action(run((options: ListNotificationsOptions) => list(io, options)));
  asReport(events.command('show'))
    .description('Show one notification with the objects that it reports.')
    .argument('<id>', 'its number', idOf)
    .action(run((id: bigint, options: ReportOptions) => show(io, id, options)));
  events
    .command('resend')
    .description('Send notifications again, for example failed ones. Waiting ones do not change.')
    .argument('<ids...>', 'their numbers', (text: string, earlier: bigint[] = []) => [...earlier, idOf(text)])
    .action(run((ids: bigint[]) => resend(io, ids)));
}

interface ListNotificationsOptions extends ListOptions {
  state?: StateName;
}

function idOf(text: string): bigint {
  if (!/^\d{1,18}$/.test(text)) throw new CommandFailure(`"${text}" is not the number of a notification`);
  return BigInt(text);
}

async function list(io: Io, { state, ...options }: ListNotificationsOptions): Promise<void> {
  const only = state ? states[state] : NotificationState.NOTIFICATION_STATE_UNSPECIFIED;
  await withClient(io, 'objects', NotificationServiceService, (client) => {
    const records = inPages(0n, async (after) => {
      const page = await client.listNotifications({ state: only, after, limit: options.limit ?? 0 });
      return { entries: page.notifications.map(recordOf), next: page.next };
    });
    return printList(io, columns, records, options);
  });
}

function recordOf(one: Notification) {
  return {
    id: one.id,
    address: one.address,
    state: nameIn(states, one.state),
    written: one.instant ?? null,
    attempts: one.attempts,
    error: one.error || null,
  };
}

async function show(io: Io, id: bigint, { json }: ReportOptions): Promise<void> {
  const { notification } = await withClient(io, 'objects', NotificationServiceService, (client) =>
    client.getNotification({ id }),
  );
  const { due, changedBy, clientAddress } = notification!;
  const { error, ...listed } = recordOf(notification!);
  const facts = {
    ...listed,
    due: (listed.state === 'waiting' && due) || null,
    changedBy: changedBy || null,
    fromHost: clientAddress || null,
    error,
  };
  const changes = notification!.changes.map(({ type, key, reason, textBefore, textAfter }) => {
    return { type, key, reason: reason || null, before: textBefore || null, after: textAfter || null };
  });
  if (json) {
    printJson(io, { ...facts, changes });
    return;
  }
  printFacts(io, facts);
  for (const { type, key, reason, before, after } of changes) {
    say(io, `\n--- ${type} ${key}${reason === null ? '' : `: ${reason}`}`);
    if (before !== null) say(io, `before:\n${before}`);
    if (after !== null) say(io, `after:\n${after}`);
  }
}

async function resend(io: Io, ids: bigint[]): Promise<void> {
  let changed = 0;
  await withClient(io, 'objects', NotificationServiceService, async (client) => {
    for (let at = 0; at < ids.length; at += maxIds) {
      changed += (await client.resendNotifications({ ids: ids.slice(at, at + maxIds) })).changed;
    }
  });
  say(io, `${counted(changed, 'notification is', 'notifications are')} sent again`);
}

const columns = ['id', 'address', 'state', 'written', 'attempts', { name: 'error', none: '' }] as const;
