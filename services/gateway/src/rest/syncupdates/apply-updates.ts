import type { LimitedClient } from '@cadastre/limits';
import {
  ChangeAction,
  LookupStatus,
  type StorageUse,
  type SubmittedObject,
  type WriteOptions,
  WriteOutcome,
  type WriteResponse,
  type WriteResult,
} from '@cadastre/proto/objects';
import { type Message, View } from '@cadastre/proto/registry';
import { invalidateWritten } from '../../backends/lookup-cache.js';
import type { Context } from '../../context.js';
import { httpErrorOf, statusOfOutcomes } from '../../errors.js';
import { countQuotaRefusals } from '../../limits/exceeded.js';
import { messages } from '../../ripe-messages.js';
import type { Write } from '../idempotency-key.js';
import { sendWrite } from '../make-write.js';
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

/** An update in a group, and what is done with its object. */
interface Change {
  /** As sent, with placeholders. */
  readonly sent: Update;
  readonly update: Update;
  readonly action: Action;
}

/** Writes updates in one transaction. Retries without the refused ones. */
async function applyGroup(
  context: Context,
  group: readonly Update[],
  generated: GeneratedKeys,
  options: UpdateOptions,
): Promise<AppliedUpdate[]> {
  const [update] = group as [Update];
  const contradiction = contradictionIn(update, options);
  if (contradiction !== undefined) return [{ update, action: 'Delete', status: 400, messages: [contradiction] }];
  const done: AppliedUpdate[] = [];
  let pending = group.map((sent): Change => ({ sent, update: withKeys(sent, generated), action: 'Create' }));
  try {
    while (pending.length > 0) {
      pending = await Promise.all(
        pending.map(async (change) => ({ ...change, action: await actionOf(context, change.update, options) })),
      );
      const { results, storageToday } = await write(context, pending, options);
      invalidateWritten(
        context.cache,
        results.filter(({ serial }) => serial > 0n),
      );
      const answers = pending.map((change, at) => answered(context, change, results[at]!, storageToday));
      const isSkipped = (at: number) => results[at]!.outcome === WriteOutcome.WRITE_OUTCOME_SKIPPED;
      done.push(...answers.filter((_, at) => !isSkipped(at)));
      const skipped = pending.filter((_, at) => isSkipped(at));
      if (skipped.length === pending.length) throw new Error('every change of a group was skipped');
      pending = skipped;
    }
  } catch (thrown) {
    const refused = failure(context, thrown, options);
    return [...done, ...pending.map(({ sent, action }) => ({ update: sent, action, ...refused }))];
  }
  return done;
}

function isRetried({ status }: AppliedUpdate): boolean {
  // A used-up quota of the day remains so.
  return status >= 400 && status < 500 && status !== 429;
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

function answered(
  context: Context,
  { sent, update, action }: Change,
  result: WriteResult,
  storageToday: StorageUse | undefined,
): AppliedUpdate {
  countQuotaRefusals(context, [result.outcome]);
  const isMissing = result.outcome === WriteOutcome.WRITE_OUTCOME_NOT_FOUND;
  const isUnchanged = result.outcome === WriteOutcome.WRITE_OUTCOME_UNCHANGED;
  return {
    update: sent,
    action: isUnchanged ? 'No operation' : action,
    status: statusOfOutcomes([result.outcome]),
    messages: isMissing ? [messages.noSuchObject(update.key?.shown ?? '')] : result.messages,
    result,
    storageToday,
  };
}

/**
 * Deletes if the text requests it, else creates or modifies depending on whether the object exists. A report names the
 * action also of an update that the objects service refuses before it looks, so this does not leave it to that service.
 */
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
  context: Context,
  changes: readonly Change[],
  { source, dryRun, client, clientAddress, requestId }: UpdateOptions,
): Promise<WriteResponse> {
  const options = { principal: changes[0]?.update.principal, dryRun, clientAddress };
  const written = await sendWrite(context, { write: writeOf(changes, source, options) }, { client, requestId });
  if (written.results.length !== changes.length) throw new Error('the objects service returned no result');
  return written;
}

function writeOf(changes: readonly Change[], source: string, options: WriteOptions): Write {
  const [{ update, action }] = changes as [Change];
  if (changes.length > 1) return { $case: 'apply', value: { source, changes: changes.map(inGroup), options } };
  const object = submittedObject(update);
  const { type } = update.object;
  const key = { source, type, key: update.key?.shown ?? '' };
  switch (action) {
    case 'Create':
      return { $case: 'create', value: { source, type, object, options } };
    case 'Modify':
      return { $case: 'update', value: { key, object, options } };
    case 'Delete':
      return { $case: 'delete', value: { key, object, reason: update.deletions[0] ?? '', options } };
  }
}

/** The change of a group, which has no deletions. */
function inGroup({ update, action }: Change) {
  return {
    action: action === 'Modify' ? ChangeAction.CHANGE_ACTION_UPDATE : ChangeAction.CHANGE_ACTION_CREATE,
    object: submittedObject(update),
    reason: '',
  };
}

function submittedObject({ object }: Update): SubmittedObject {
  return { attributes: object.attributes.map(({ name, raw }) => ({ name, value: raw })) };
}
