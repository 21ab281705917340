import { LookupStatus, type SubmittedObject, WriteOutcome, type WriteResult } from '@cadastre/proto/objects';
import { type Message, type Principal, View } from '@cadastre/proto/registry';
import { forgetStored } from '../clients/lookup-cache.js';
import type { Context } from '../context.js';
import { refusalOf, statusOfOutcomes } from '../errors.js';
import { messages } from '../messages.js';
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

/**
 * Applies updates one by one. What fails is tried again as long as a round stores something, so that objects may refer
 * to later ones. Never throws: what breaks is told with its update and not tried again.
 */
export async function applyUpdates(
  context: Context,
  updates: readonly Update[],
  options: UpdateOptions,
): Promise<AppliedUpdate[]> {
  const applied = new Map<Update, AppliedUpdate>();
  for (let pending = updates; pending.length > 0; ) {
    const round: AppliedUpdate[] = [];
    for (const update of pending) round.push(await applyUpdate(context, update, options));
    for (const one of round) applied.set(one.update, one);
    const hasProgress = round.some(({ result }) => (result?.serial ?? 0n) > 0n);
    pending = hasProgress ? round.filter(isWorthTrying).map(({ update }) => update) : [];
  }
  return updates.map((update) => applied.get(update)!);
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
    const refusal = refusalOf(thrown);
    if (refusal.status === 500) context.logger.error({ requestId: options.requestId, err: thrown }, 'update failed');
    return { update, action, status: refusal.status, messages: refusal.messages };
  }
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
  { object, key, deletions }: Update,
  action: Action,
  { source, principal, dryRun, requestId }: UpdateOptions,
): Promise<WriteResult | undefined> {
  const call = { deadlineMs: settings.writeDeadline, requestId };
  const options = { principal, dryRun };
  const name = { source, type: object.type, key: key?.shown ?? '' };
  const submitted: SubmittedObject = { attributes: object.attributes.map(({ name, raw }) => ({ name, value: raw })) };
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
