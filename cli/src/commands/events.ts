import { type Notification, NotificationServiceService, NotificationState } from '@cadastre/proto/objects';
import { type Command, Option } from 'commander';
import type { Run } from '../action.js';
import { withClient } from '../clients.js';
import { CommandFailure } from '../failure.js';
import { type ExitCode, exitCode, type Io, say } from '../io.js';
import { printable } from '../printable.js';
import { type ListOptions, printList, withJson } from './table.js';

const states = {
  waiting: NotificationState.NOTIFICATION_STATE_WAITING,
  sent: NotificationState.NOTIFICATION_STATE_SENT,
  failed: NotificationState.NOTIFICATION_STATE_FAILED,
  skipped: NotificationState.NOTIFICATION_STATE_SKIPPED,
} as const;

type StateName = keyof typeof states;

const mostIds = 1_000;

/** Adds `cadastre events list|show|resend`. */
export function addEventsCommands(program: Command, io: Io, run: Run): void {
  const events = program.command('events').description('Show the notifications that writes caused, and resend them.');
  withJson(events.command('list'))
    .description('List notifications of the last two weeks, oldest first.')
    .addOption(new Option('--state <state>', 'only those in this state').choices(Object.keys(states)))
    .action(run((options: ListNotificationsOptions) => list(io, options)));
  events
    .command('show')
    .description('Show one notification with the objects that it tells.')
    .argument('<id>', 'its number', idOf)
    .action(run((id: bigint) => show(io, id)));
  events
    .command('resend')
    .description('Send notifications again, for example failed ones. Those that wait do not change.')
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

async function list(io: Io, { state, ...options }: ListNotificationsOptions): Promise<ExitCode> {
  const found: Notification[] = [];
  await withClient(io, 'objects', NotificationServiceService, async (client) => {
    let after = 0n;
    do {
      const page = await client.listNotifications({
        state: state ? states[state] : NotificationState.NOTIFICATION_STATE_UNSPECIFIED,
        after,
        limit: 0,
      });
      found.push(...page.notifications);
      after = page.next;
    } while (after !== 0n);
  });
  const records = found.map((one) => ({
    id: one.id,
    address: one.address,
    state: nameOf(one.state),
    written: one.instant ?? null,
    attempts: one.attempts,
    error: one.error || null,
  }));
  printList(io, columns, records, options);
  return exitCode.done;
}

async function show(io: Io, id: bigint): Promise<ExitCode> {
  const { notification } = await withClient(io, 'objects', NotificationServiceService, (client) =>
    client.getNotification({ id }),
  );
  const { changes, ...one } = notification!;
  const facts = [
    ['address', one.address],
    ['state', nameOf(one.state)],
    ['written', one.instant?.toISOString() ?? ''],
    ['due', one.state === states.waiting ? (one.due?.toISOString() ?? '') : ''],
    ['attempts', String(one.attempts)],
    ['changed by', one.changedBy],
    ['from host', one.clientAddress ?? ''],
    ['goes with', one.digest ? `${one.digest.notifications.length + one.digest.more} others` : ''],
    ['error', one.error],
  ].filter(([, value]) => value !== '');
  for (const [name, value] of facts) say(io, printable(`${`${name}:`.padEnd(12)}${value}`));
  for (const { type, key, reason, textBefore, textAfter } of changes) {
    say(io, printable(`\n--- ${type} ${key}${reason && `: ${reason}`}`));
    if (textBefore !== '') say(io, printable(`before:\n${textBefore}`));
    if (textAfter !== '') say(io, printable(`after:\n${textAfter}`));
  }
  return exitCode.done;
}

async function resend(io: Io, ids: bigint[]): Promise<ExitCode> {
  let changed = 0;
  await withClient(io, 'objects', NotificationServiceService, async (client) => {
    for (let at = 0; at < ids.length; at += mostIds) {
      changed += (await client.resendNotifications({ ids: ids.slice(at, at + mostIds) })).changed;
    }
  });
  say(io, `${changed} notifications are sent again`);
  return exitCode.done;
}

function nameOf(state: NotificationState): string {
  return Object.entries(states).find(([, value]) => value === state)?.[0] ?? 'unknown';
}

const columns = [
  { name: 'id', head: 'ID' },
  { name: 'address', head: 'ADDRESS' },
  { name: 'state', head: 'STATE' },
  { name: 'written', head: 'WRITTEN' },
  { name: 'attempts', head: 'ATTEMPTS' },
  { name: 'error', head: 'ERROR', none: '' },
] as const;
