import {
  type ApplyChangesRequest,
  ChangeAction,
  type ExpectedStates,
  KeyOutcome,
  type ObjectWriterServiceService,
  type StorageUse,
  type WriteOptions,
  WriteOutcome,
  type WriteRequest,
  type WriteResponse,
  type WriteResult,
} from '@cadastre/proto/objects';
import { type Call, duringCall, type Handlers, ServiceError, wireMessage } from '@cadastre/service';
import type { Context } from '../context.js';
import type { Submission, Verb } from '../domain/change.js';
import { type KeyRefusal, type WriteKey, writeKey } from '../domain/repeatable.js';
import { requestMessages } from '../domain/request-messages.js';
import { type Charge, endOfDay, isLimited, payerOfDay, payingMntner } from '../domain/storage-quota.js';
import { loadStorageUse } from '../store/storage-use.js';
import { write as makeWrite, type WriteServices, type WriteTools } from '../write/write.js';
import { withAccountNames } from './contacts-and-accounts.js';
import { principalOf } from './requested.js';
import { repeatedResults, writeResult } from './write-results.js';

const maxChanges = 100;
/** Longer than any IP address. */
const maxClientAddressLength = 64;
const maxStates = 100;
const maxKeyLength = 255;

/** The write that a method requests. A single write is a group of one change. */
interface Wanted {
  readonly source: string;
  readonly submissions: readonly Submission[];
  readonly options: WriteOptions | undefined;
  readonly key?: WriteKey | undefined;
}

/** The methods of ObjectWriter. */
export function writerHandlers(context: WriteContext): Handlers<typeof ObjectWriterServiceService> {
  const write = (request: WriteRequest, call: Call) => {
    const wanted = writeOf(request);
    return writeTo(context, { ...wanted, key: keyOf(request, wanted) }, call);
  };
  const writeOne = async (one: WriteRequest['write'], call: Call) => {
    const { results, storageToday } = await write({ write: one }, call);
    return { result: results[0], storageToday };
  };
  return {
    createObject: (value, call) => writeOne({ $case: 'create', value }, call),
    updateObject: (value, call) => writeOne({ $case: 'update', value }, call),
    deleteObject: (value, call) => writeOne({ $case: 'delete', value }, call),
    applyChanges: (value, call) => {
      if (value.changes.some(({ expected }) => expected)) {
        throw new ServiceError('invalid', 'Only Write takes expected states');
      }
      return write({ write: { $case: 'apply', value } }, call);
    },
    write,
    getStorageUse: getStorageUse(context),
  };
}

function writeOf({ write, expected }: WriteRequest): Wanted {
  if (write === undefined) throw new ServiceError('invalid', 'A write is missing');
  if (write.$case === 'apply') {
    if (expected) throw new ServiceError('invalid', 'Each change of a group has expected states of its own');
    return group(write.value);
  }
  const { $case: verb, value } = write;
  const { source = '', ...path } = 'type' in value ? { source: value.source, type: value.type } : (value.key ?? noKey);
  const reason = 'reason' in value ? value.reason : '';
  const submission = { verb, path, attributes: value.object?.attributes ?? [], reason };
  return { source, submissions: [expecting(submission, expected)], options: value.options };
}

const noKey = { source: '', type: '', key: '' };

function group({ source, changes, options }: ApplyChangesRequest): Wanted {
  if (changes.length === 0 || changes.length > maxChanges) {
    throw new ServiceError('invalid', `1 to ${maxChanges} changes in one call`);
  }
  const submissions = changes.map(({ action, object, reason, expected }) => {
    const verb = verbs.get(action);
    if (verb === undefined) {
      throw new ServiceError('invalid', 'A change must say whether it creates, updates or deletes');
    }
    return expecting({ verb, attributes: object?.attributes ?? [], reason }, expected);
  });
  return { source, submissions, options };
}

const verbs: ReadonlyMap<ChangeAction, Verb> = new Map([
  [ChangeAction.CHANGE_ACTION_CREATE, 'create'],
  [ChangeAction.CHANGE_ACTION_UPDATE, 'update'],
  [ChangeAction.CHANGE_ACTION_DELETE, 'delete'],
  [ChangeAction.CHANGE_ACTION_PUT, 'put'],
]);

/** Adds the states that a change expects, if any. Throws for a change that cannot have such a condition. */
function expecting(submission: Submission, expected: ExpectedStates | undefined): Submission {
  if (expected === undefined) return submission;
  const { verb } = submission;
  if (verb === 'create' || verb === 'put') throw new ServiceError('invalid', 'A creation cannot expect a state');
  if (expected.states.length > maxStates) throw new ServiceError('invalid', `At most ${maxStates} expected states`);
  const expectedStates = expected.states.map(({ revision, lastModified: modified = new Date(0) }) => ({
    revision,
    modified,
  }));
  return { ...submission, expectedStates };
}

/**
 * The key of a request; undefined when it has none. Throws for a write that is idempotent without one, and for a caller
 * without an account. An anonymous caller needs no key: its write is refused.
 */
function keyOf({ write, key }: WriteRequest, { options }: Wanted): WriteKey | undefined {
  const principal = principalOf(options?.principal);
  if (key === undefined || principal === undefined) return undefined;
  if (write?.$case !== 'create' && write?.$case !== 'apply') {
    throw new ServiceError('invalid', 'Only a creation or a group of changes may have a key');
  }
  if (principal.accountId === '') throw new ServiceError('invalid', 'A key needs an account');
  if (key.key.length === 0 || key.key.length > maxKeyLength || key.request.length === 0 || key.request.length > 64) {
    throw new ServiceError('invalid', 'The key or the hash of the request has a wrong length');
  }
  return writeKey(principal, key.key, key.request);
}

type WriteContext = Pick<Context, 'sources' | 'accounts' | keyof WriteServices>;

const refusedKeys: Record<KeyRefusal, KeyOutcome> = {
  'other-request': KeyOutcome.KEY_OUTCOME_OTHER_REQUEST,
  running: KeyOutcome.KEY_OUTCOME_RUNNING,
  'too-many': KeyOutcome.KEY_OUTCOME_TOO_MANY,
};

/** Writes to the named source, which must be the registry's own. Returns one result per change. */
async function writeTo(
  context: WriteContext,
  { source: sourceName, submissions, options, key }: Wanted,
  call: Call,
): Promise<WriteResponse> {
  const source = context.sources.byName(sourceName);
  if (source === undefined || source.kind !== 'main') {
    const messages = [wireMessage(requestMessages.invalidSource(sourceName))];
    const refused = { outcome: WriteOutcome.WRITE_OUTCOME_INVALID, messages, serial: 0n };
    return { results: submissions.map(() => refused), keyOutcome: KeyOutcome.KEY_OUTCOME_UNSPECIFIED };
  }
  const dryRun = options?.dryRun ?? false;
  const tools: WriteTools = {
    ...context,
    certificates: {
      read(object, now) {
        if (call.signal.aborted) throw new ServiceError('cancelled', 'The request was cancelled');
        return context.certificates.read(object, now);
      },
    },
    signal: call.signal,
    accounts: (names) => context.accounts.resolve(names, call),
  };
  const written = await makeWrite(tools, {
    source,
    submissions,
    principal: principalOf(options?.principal),
    clientAddress: options?.clientAddress?.slice(0, maxClientAddressLength) ?? '',
    dryRun,
    key,
  });
  if ('refusedKey' in written) return { results: [], keyOutcome: refusedKeys[written.refusedKey] };
  if ('repeated' in written) {
    const results = await repeatedResults(context.readPool, source, written.repeated);
    return {
      results: await withNamedAccounts(context, results, call),
      keyOutcome: KeyOutcome.KEY_OUTCOME_REPEATED,
    };
  }
  const { replies, storageToday } = written;
  const results = replies.map((reply) => writeResult(source, reply));
  const keyOutcome = key === undefined || dryRun ? KeyOutcome.KEY_OUTCOME_UNSPECIFIED : KeyOutcome.KEY_OUTCOME_FREE;
  // A refused write shows what the caller sent, without a lookup of accounts.
  const isStored = replies.every(({ stored }) => stored !== undefined);
  return {
    results: isStored ? await withNamedAccounts(context, results, call) : results,
    keyOutcome,
    ...(storageToday && { storageToday: storageUse(storageToday) }),
  };
}

/** Shows accounts by name: a caller who may write an object may see them. */
async function withNamedAccounts(
  { accounts }: WriteContext,
  results: readonly WriteResult[],
  call: Call,
): Promise<WriteResult[]> {
  const shown = results.flatMap(({ object }) => (object ? [object] : []));
  const named = (await withAccountNames(accounts, shown, call)).values();
  return results.map((result) => (result.object ? { ...result, object: named.next().value } : result));
}

const maxMntners = 1000;
const anonymous = { accountId: '', accountName: '' };

type Writer = Handlers<typeof ObjectWriterServiceService>;

function getStorageUse(context: Pick<Context, 'readPool' | 'storageQuota' | 'clock'>): Writer['getStorageUse'] {
  return async ({ principal, clientAddress, mntners: names }, call) => {
    if (names.length > maxMntners) throw new ServiceError('invalid', `At most ${maxMntners} mntners in one call`);
    const { storageQuota: quota } = context;
    const caller = {
      principal: principalOf(principal) ?? anonymous,
      clientAddress: clientAddress.slice(0, maxClientAddressLength),
    };
    const today = payerOfDay(caller, quota, context.clock());
    const mntners = names.map((name) => payingMntner(name, quota)).filter(isLimited);
    const used = await loadStorageUse(duringCall(context.readPool, call), [today, ...mntners].filter(isLimited));
    const shown = (payer: typeof today) => storageUse({ payer, bytes: used.get(payer.id) ?? 0 });
    return {
      ...(isLimited(today) && { today: shown(today) }),
      mntners: Object.fromEntries(mntners.map((payer) => [payer.name, shown(payer)])),
    };
  };
}

/** What a payer has stored, in the form of the contract. */
function storageUse({ payer: { limit, day }, bytes }: Charge): StorageUse {
  return { used: BigInt(bytes), limit: BigInt(limit), ...(day && { resets: endOfDay(day) }) };
}
