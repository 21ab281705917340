import {
  ChangeAction,
  type ObjectWriterServiceService,
  type SubmittedObject,
  type WriteOptions,
  WriteOutcome,
  type WriteResult,
} from '@cadastre/proto/objects';
import type { RpslObject } from '@cadastre/rpsl';
import { type Call, type Handlers, ServiceError } from '@cadastre/service';
import type { Context } from '../context.js';
import { requestMessages } from '../domain/request-messages.js';
import type { Submission, Verb } from '../domain/submission.js';
import { write } from '../write/write.js';
import { withAccountNames } from './contacts-and-accounts.js';
import { principalOf } from './requested.js';
import { wireMessage, writeResult } from './write-results.js';

const maxChanges = 100;
/** Longer than each IP address. */
const maxClientAddressLength = 64;

/** The methods of ObjectWriter. A single write is a group of one change. */
export function writerHandlers(context: WriteContext): Handlers<typeof ObjectWriterServiceService> {
  const writeOne = async (source: string, submission: Submission, options: WriteOptions | undefined, call: Call) => {
    const [result] = await writeTo(context, source, [submission], options, call);
    return { result };
  };
  return {
    createObject: ({ source, type, object, options }, call) =>
      writeOne(source, { verb: 'create', path: { type }, ...attributesOf(object), reason: '' }, options, call),
    updateObject: ({ key, object, options }, call) => {
      const { source = '', ...path } = key ?? { type: '', key: '' };
      return writeOne(source, { verb: 'update', path, ...attributesOf(object), reason: '' }, options, call);
    },
    deleteObject: ({ key, object, reason, options }, call) => {
      const { source = '', ...path } = key ?? { type: '', key: '' };
      return writeOne(source, { verb: 'delete', path, ...attributesOf(object), reason }, options, call);
    },
    applyChanges: async ({ source, changes, options }, call) => {
      if (changes.length === 0 || changes.length > maxChanges) {
        throw new ServiceError('invalid', `1 to ${maxChanges} changes in one call`);
      }
      const submissions = changes.map(({ action, object, reason }) => ({
        verb: verbOf(action),
        ...attributesOf(object),
        reason,
      }));
      return { results: await writeTo(context, source, submissions, options, call) };
    },
  };
}

function attributesOf(object: SubmittedObject | undefined): Pick<Submission, 'attributes'> {
  return { attributes: object?.attributes ?? [] };
}

/** The part of the service's context that writes use. */
export type WriteContext = Pick<
  Context,
  'sources' | 'readPool' | 'writePool' | 'accounts' | 'delegations' | 'certificates' | 'policy' | 'notices' | 'clock'
>;

/** Writes to the named source, which must be the registry's own. Returns one result per change. */
async function writeTo(
  context: WriteContext,
  sourceName: string,
  submissions: readonly Submission[],
  options: WriteOptions | undefined,
  call: Call,
): Promise<WriteResult[]> {
  const source = context.sources.byName(sourceName);
  if (source === undefined || source.kind !== 'main') {
    return submissions.map(() => refusedSource(sourceName));
  }
  const replies = await write(writeTools(context, call), {
    source,
    submissions,
    principal: principalOf(options?.principal),
    clientAddress: options?.clientAddress?.slice(0, maxClientAddressLength) ?? '',
    dryRun: options?.dryRun ?? false,
  });
  const results = replies.map((reply) => writeResult(source, reply));
  // A refused write shows what the caller sent, without a lookup of accounts.
  return replies.every(({ stored }) => stored !== undefined) ? withNamedAccounts(context, results, call) : results;
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

function writeTools(context: WriteContext, call: Call) {
  return {
    readPool: context.readPool,
    writePool: context.writePool,
    delegations: context.delegations,
    certificates: {
      read: (object: RpslObject, now: Date) => {
        if (call.signal.aborted) throw new ServiceError('cancelled', 'The request was cancelled');
        return context.certificates.read(object, now);
      },
    },
    policy: context.policy,
    notices: context.notices,
    clock: context.clock,
    signal: call.signal,
    accounts: (names: readonly string[]) => context.accounts.resolve(names, call),
  };
}

function refusedSource(name: string): WriteResult {
  return {
    outcome: WriteOutcome.WRITE_OUTCOME_INVALID,
    messages: [wireMessage(requestMessages.invalidSource(name))],
    serial: 0n,
  };
}

function verbOf(action: ChangeAction): Verb {
  switch (action) {
    case ChangeAction.CHANGE_ACTION_CREATE:
      return 'create';
    case ChangeAction.CHANGE_ACTION_UPDATE:
      return 'update';
    case ChangeAction.CHANGE_ACTION_DELETE:
      return 'delete';
    default:
      throw new ServiceError('invalid', 'A change must say whether it creates, updates or deletes');
  }
}
