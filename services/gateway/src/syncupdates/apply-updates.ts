import {
  ChangeAction,
  LookupStatus,
  type SubmittedObject,
  WriteOutcome,
  type WriteResult,
} from '@cadastre/proto/objects';
import { type Message, type Principal, View } from '@cadastre/proto/registry';
import { forgetStored } from '../clients/lookup-cache.js';
import type { Context } from '../context.js';
import { refusalOf, statusOfOutcomes } from '../errors.js';
import { messages } from '../messages.js';
import { groupsOf, type MadeKeys, ownPlaceholder, withKeys } from './auto-keys.js';
import type { Update } from './update-message.js';

type Action = 'Create' | 'Modify' | 'Delete';

/** What became of one update. */
export interface AppliedUpdate {
  readonly update: Update;
  readonly action: Action | 'No operation';
  /** Status as if it had been a request of its own. */
  readonly status: number;
  readonly messages: readonly Message[];
  /** The result of the write; absent when there was none. */
  readonly result?: WriteResult;
}

/** What holds for all updates of a message. */
export interface UpdateOptions {
  readonly source: string;
  readonly principal: Principal | undefined;
  readonly dryRun: boolean;
  /** Objects that exist are refused instead of being updated. */
  readonly onlyNew: boolean;
  readonly requestId: string;
}

/** A message in an order that needs more rounds than these is made to keep us busy. */
const mostRounds = 10;

/**
 * Applies updates one by one, and together what placeholders for keys tie together. What fails is tried again as long
 * as a round stores something, at most ten times, so that objects may refer to later ones. Every other round goes from
 * the last to the first, unless that would change what becomes of an object that is named twice: however long a chain
 * of references to later objects is, two rounds store it. Never throws: what breaks is told with its update and not
 * tried again.
 */
export async function applyUpdates(
  context: Context,
  updates: readonly Update[],
  options: UpdateOptions,
): Promise<AppliedUpdate[]> {
  const applied = new Map<Update, AppliedUpdate>();
  const made = new Map<string, string>();
  let pending = updates;
  for (let rounds = 1; pending.length > 0; rounds++) {
    const round: AppliedUpdate[] = [];
    const groups = rounds % 2 === 0 && areDistinct(pending) ? groupsOf(pending).toReversed() : groupsOf(pending);
    for (const group of groups) round.push(...(await applyGroup(context, group, made, options)));
    for (const one of round) applied.set(one.update, one);
    const stored = round.filter(({ result }) => (result?.serial ?? 0n) > 0n);
    for (const { update, result } of stored) {
      const placeholder = ownPlaceholder(update);
      if (placeholder !== undefined) made.set(placeholder, result?.object?.key ?? '');
    }
    const failed = round.filter(isWorthTrying).map(({ update }) => update);
    pending = stored.length > 0 && rounds < mostRounds ? updates.filter((update) => failed.includes(update)) : [];
  }
  return updates.map((update) => applied.get(update)!);
}

function areDistinct(updates: readonly Update[]): boolean {
  const names = updates.map(({ object, key }) => `${object.type} ${key?.shown.toUpperCase()}`);
  return new Set(names).size === names.length;
}

/** The updates of a group as they were sent, with what became of them. */
async function applyGroup(
  context: Context,
  group: readonly Update[],
  made: MadeKeys,
  options: UpdateOptions,
): Promise<AppliedUpdate[]> {
  const keyed = group.map((update) => withKeys(update, made));
  const applied =
    keyed.length === 1
      ? [await applyUpdate(context, keyed[0]!, options)]
      : await applyTogether(context, keyed, options);
  return applied.map((one) => ({ ...one, update: group[keyed.indexOf(one.update)]! }));
}

/**
 * Writes updates as one. What is refused is left out and the others are tried without it, as if each were alone but
 * for the keys that they share.
 */
async function applyTogether(
  context: Context,
  group: readonly Update[],
  options: UpdateOptions,
): Promise<AppliedUpdate[]> {
  const done: AppliedUpdate[] = [];
  let pending = group;
  try {
    while (pending.length > 0) {
      const actions = await Promise.all(pending.map((update) => actionOf(context, update, options)));
      const results = await writeTogether(context, pending, actions, options);
      forgetStored(
        context.cache,
        results.filter(({ serial }) => serial > 0n),
      );
      const applied = pending.map((update, index) => answered(update, actions[index]!, results[index]!));
      const decided = applied.filter(({ result }) => result?.outcome !== WriteOutcome.WRITE_OUTCOME_SKIPPED);
      if (decided.length === 0) throw new Error('every change of a group was skipped');
      done.push(...decided);
      pending = applied.filter((one) => !decided.includes(one)).map(({ update }) => update);
    }
  } catch (thrown) {
    const refused = failure(context, thrown, options);
    return [...done, ...pending.map((update): AppliedUpdate => ({ update, action: 'Create', ...refused }))];
  }
  return done;
}

async function writeTogether(
  { writer, settings }: Context,
  updates: readonly Update[],
  actions: readonly Action[],
  { source, principal, dryRun, requestId }: UpdateOptions,
): Promise<WriteResult[]> {
  const changes = updates.map((update, index) => ({
    action: actions[index] === 'Modify' ? ChangeAction.CHANGE_ACTION_UPDATE : ChangeAction.CHANGE_ACTION_CREATE,
    object: submittedObject(update),
    reason: '',
  }));
  const call = { deadlineMs: settings.writeDeadline, requestId };
  const { results } = await writer.applyChanges({ source, changes, options: { principal, dryRun } }, call);
  if (results.length !== changes.length) throw new Error('the objects service answered without a result');
  return results;
}

function isWorthTrying({ status }: AppliedUpdate): boolean {
  return status >= 400 && status < 500;
}

async function applyUpdate(context: Context, update: Update, options: UpdateOptions): Promise<AppliedUpdate> {
  const contradiction = contradictionIn(update, options);
  if (contradiction !== undefined) return { update, action: 'Delete', status: 400, messages: [contradiction] };
  let action: Action = update.deletions.length > 0 ? 'Delete' : 'Create';
  try {
    action = await actionOf(context, update, options);
    const result = await write(context, update, action, options);
    if (result === undefined) throw new Error('the objects service answered without a result');
    if (result.serial > 0n) forgetStored(context.cache, [result]);
    return answered(update, action, result);
  } catch (thrown) {
    return { update, action, ...failure(context, thrown, options) };
  }
}

function failure({ logger }: Context, thrown: unknown, { requestId }: UpdateOptions) {
  const { status, messages } = refusalOf(thrown);
  if (status === 500) logger.error({ requestId, err: thrown }, 'update failed');
  return { status, messages };
}

function contradictionIn({ deletions }: Update, { onlyNew }: UpdateOptions): Message | undefined {
  if (deletions.length > 1) return messages.severalReasons();
  return deletions.length > 0 && onlyNew ? messages.deletionOfNew() : undefined;
}

function answered(update: Update, action: Action, result: WriteResult): AppliedUpdate {
  const status = statusOfOutcomes([result.outcome]);
  const isMissing = result.outcome === WriteOutcome.WRITE_OUTCOME_NOT_FOUND;
  const isUnchanged = result.outcome === WriteOutcome.WRITE_OUTCOME_UNCHANGED;
  return {
    update,
    action: isUnchanged ? 'No operation' : action,
    status,
    messages: isMissing ? [messages.noSuchObject(update.key?.shown ?? '')] : result.messages,
    result,
  };
}

/** What to do with an object: as the message says, else by whether it exists. */
async function actionOf(
  { lookUp }: Context,
  { object, key, deletions }: Update,
  { source, onlyNew }: UpdateOptions,
): Promise<Action> {
  if (deletions.length > 0) return 'Delete';
  if (onlyNew || key === undefined) return 'Create';
  const name = { source, type: object.type, key: key.shown };
  const { status } = await lookUp({ key: name, view: View.VIEW_FILTERED, withContacts: false });
  return status === LookupStatus.LOOKUP_STATUS_FOUND ? 'Modify' : 'Create';
}

async function write(
  { writer, settings }: Context,
  update: Update,
  action: Action,
  { source, principal, dryRun, requestId }: UpdateOptions,
): Promise<WriteResult | undefined> {
  const call = { deadlineMs: settings.writeDeadline, requestId };
  const options = { principal, dryRun };
  const { object, key, deletions } = update;
  const name = { source, type: object.type, key: key?.shown ?? '' };
  const submitted = submittedObject(update);
  switch (action) {
    case 'Create':
      return (await writer.createObject({ source, type: object.type, object: submitted, options }, call)).result;
    case 'Modify':
      return (await writer.updateObject({ key: name, object: submitted, options }, call)).result;
    case 'Delete':
      return (await writer.deleteObject({ key: name, object: submitted, reason: deletions[0] ?? '', options }, call))
        .result;
  }
}

function submittedObject({ object }: Update): SubmittedObject {
  return { attributes: object.attributes.map(({ name, raw }) => ({ name, value: raw })) };
}
