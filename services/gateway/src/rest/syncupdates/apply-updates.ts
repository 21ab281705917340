import type { LimitedClient } from '@cadastre/limits';
import {
  type ApplyChangesResponse,
  ChangeAction,
  LookupStatus,
  type StorageUse,
  type SubmittedObject,
  WriteOutcome,
  type WriteResult,
} from '@cadastre/proto/objects';
import { type Message, View } from '@cadastre/proto/registry';
import { invalidateWritten } from '../../backends/lookup-cache.js';
import type { Context } from '../../context.js';
import { httpErrorOf, statusOfOutcomes } from '../../errors.js';
import { countQuotaRefusals } from '../../limits/check.js';
import { countingUnknownAccounts } from '../../limits/unknown-accounts.js';
import { messages } from '../../ripe-messages.js';
import { type GeneratedKeys, groupsOf, ownPlaceholder, type Update, withKeys } from './updates.js';

type Action = 'Create' | 'Modify' | 'Delete';

/** The result of one update. */
export interface AppliedUpdate {
  readonly update: Update;
  readonly action: Action | 'No operation';
  /** The status of a request with this update alone. */
  readonly status: number;
  readonly messages: readonly Message[];
  /** Absent when there was no write, or it failed. */
  readonly result?: WriteResult;
  /** What the caller of the write has stored today; absent without a limit. */
  readonly storageToday?: StorageUse | undefined;
}

/** Options of all updates of a request. */
interface UpdateOptions {
  readonly source: string;
  readonly dryRun: boolean;
  /** Refuses to update objects that exist. */
  readonly onlyNew: boolean;
  /** The client whose limits count. */
  readonly client: LimitedClient;
  /** IP address of the client. */
  readonly clientAddress: string;
  readonly requestId: string;
}

/** No reasonable order of updates needs more rounds. */
const maxRounds = 10;

/**
 * Applies updates one by one; those that share a placeholder for a key, together. Retries refused updates as long as a
 * round stores something, in at most ten rounds, so that objects may refer to later ones. Every other round runs
 * backwards, so that two rounds store a chain of references of any length; not when an object occurs twice, because the
 * order of its updates matters. Never throws: an update that fails for another reason has an error and is not retried.
 */
export async function applyUpdates(
  context: Context,
  updates: readonly Update[],
  options: UpdateOptions,
): Promise<AppliedUpdate[]> {
  const applied = new Map<Update, AppliedUpdate>();
  const generated = new Map<string, string>();
  let pending = updates;
  for (let rounds = 1; pending.length > 0; rounds++) {
    const round: AppliedUpdate[] = [];
    const groups = rounds % 2 === 0 && areDistinct(pending) ? groupsOf(pending).toReversed() : groupsOf(pending);
    for (const group of groups) round.push(...(await applyGroup(context, group, generated, options)));
    for (const one of round) applied.set(one.update, one);
    const stored = round.filter(({ result }) => (result?.serial ?? 0n) > 0n);
    for (const { update, result } of stored) {
      const placeholder = ownPlaceholder(update);
      if (placeholder !== undefined) generated.set(placeholder, result?.object?.key ?? '');
    }
    const failed = round.filter(isRetried).map(({ update }) => update);
    pending = stored.length > 0 && rounds < maxRounds ? updates.filter((update) => failed.includes(update)) : [];
  }
  return updates.map((update) => applied.get(update)!);
}

function areDistinct(updates: readonly Update[]): boolean {
  const names = updates.map(({ object, key }) => `${object.type} ${key?.shown.toUpperCase()}`);
  return new Set(names).size === names.length;
}

/** Returns the updates as sent, with placeholders, and their results. */
async function applyGroup(
  context: Context,
  group: readonly Update[],
  generated: GeneratedKeys,
  options: UpdateOptions,
): Promise<AppliedUpdate[]> {
  const keyed = group.map((update) => withKeys(update, generated));
  const applied =
    keyed.length === 1
      ? [await applyUpdate(context, keyed[0]!, options)]
      : await applyTogether(context, keyed, options);
  return applied.map((one) => ({ ...one, update: group[keyed.indexOf(one.update)]! }));
}

/** Writes updates in one transaction. Retries without the refused ones. */
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
      const { results, storageToday } = await writeTogether(context, pending, actions, options);
      invalidateWritten(
        context.cache,
        results.filter(({ serial }) => serial > 0n),
      );
      const applied = pending.map((update, index) =>
        answered(context, update, actions[index]!, { result: results[index]!, storageToday }),
      );
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
  context: Context,
  updates: readonly Update[],
  actions: readonly Action[],
  { source, dryRun, client, clientAddress, requestId }: UpdateOptions,
): Promise<ApplyChangesResponse> {
  const principal = updates[0]?.principal;
  const changes = updates.map((update, index) => ({
    action: actions[index] === 'Modify' ? ChangeAction.CHANGE_ACTION_UPDATE : ChangeAction.CHANGE_ACTION_CREATE,
    object: submittedObject(update),
    reason: '',
  }));
  const call = { deadlineMs: context.settings.deadlines.write, requestId };
  const options = { principal, dryRun, clientAddress };
  const objects = changes.map(({ object }) => object);
  const applied = await countingUnknownAccounts(context, client, objects, () =>
    context.writer.applyChanges({ source, changes, options }, call),
  );
  if (applied.results.length !== changes.length) throw new Error('the objects service returned no result');
  return applied;
}

function isRetried({ status }: AppliedUpdate): boolean {
  // A used-up quota of the day remains so.
  return status >= 400 && status < 500 && status !== 429;
}

async function applyUpdate(context: Context, update: Update, options: UpdateOptions): Promise<AppliedUpdate> {
  const contradiction = contradictionIn(update, options);
  if (contradiction !== undefined) return { update, action: 'Delete', status: 400, messages: [contradiction] };
  let action: Action = update.deletions.length > 0 ? 'Delete' : 'Create';
  try {
    action = await actionOf(context, update, options);
    const { results, storageToday } = await countingUnknownAccounts(
      context,
      options.client,
      [submittedObject(update)],
      async () => {
        const { result, ...more }: WrittenOne = await write(context, update, action, options);
        return { ...more, results: [result] };
      },
    );
    const [result] = results;
    if (result === undefined) throw new Error('the objects service returned no result');
    if (result.serial > 0n) invalidateWritten(context.cache, [result]);
    return answered(context, update, action, { result, storageToday });
  } catch (thrown) {
    return { update, action, ...failure(context, thrown, options) };
  }
}

function failure({ logger }: Context, thrown: unknown, { requestId }: UpdateOptions) {
  const { status, messages } = httpErrorOf(thrown);
  if (status === 500) logger.error({ requestId, err: thrown }, 'update failed');
  return { status, messages };
}

function contradictionIn({ deletions }: Update, { onlyNew }: UpdateOptions): Message | undefined {
  if (deletions.length > 1) return messages.severalReasons();
  return deletions.length > 0 && onlyNew ? messages.deletionOfNew() : undefined;
}

/** The response of the objects service to a write of one object. */
interface WrittenOne {
  readonly result?: WriteResult | undefined;
  readonly storageToday?: StorageUse | undefined;
}

function answered(
  context: Context,
  update: Update,
  action: Action,
  { result, storageToday }: WrittenOne & { readonly result: WriteResult },
): AppliedUpdate {
  countQuotaRefusals(context, [result.outcome]);
  const status = statusOfOutcomes([result.outcome]);
  const isMissing = result.outcome === WriteOutcome.WRITE_OUTCOME_NOT_FOUND;
  const isUnchanged = result.outcome === WriteOutcome.WRITE_OUTCOME_UNCHANGED;
  return {
    update,
    action: isUnchanged ? 'No operation' : action,
    status,
    messages: isMissing ? [messages.noSuchObject(update.key?.shown ?? '')] : result.messages,
    result,
    storageToday,
  };
}

/** Deletes if the text requests it, else creates or modifies depending on whether the object exists. */
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
  { source, dryRun, clientAddress, requestId }: UpdateOptions,
): Promise<WrittenOne> {
  const call = { deadlineMs: settings.deadlines.write, requestId };
  const { object, key, deletions, principal } = update;
  const options = { principal, dryRun, clientAddress };
  const name = { source, type: object.type, key: key?.shown ?? '' };
  const submitted = submittedObject(update);
  switch (action) {
    case 'Create':
      return writer.createObject({ source, type: object.type, object: submitted, options }, call);
    case 'Modify':
      return writer.updateObject({ key: name, object: submitted, options }, call);
    case 'Delete':
      return writer.deleteObject({ key: name, object: submitted, reason: deletions[0] ?? '', options }, call);
  }
}

function submittedObject({ object }: Update): SubmittedObject {
  return { attributes: object.attributes.map(({ name, raw }) => ({ name, value: raw })) };
}
