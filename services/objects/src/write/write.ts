import { type Message, messages, type RpslObject, sortMessages } from '@cadastre/rpsl';
import { failureMessage, inTransaction, ServiceError } from '@cadastre/service';
import type pg from 'pg';
import {
  checkAccounts,
  type KnownAccounts,
  maxAccounts,
  submittedAccountNames,
  withSubjects,
} from '../domain/accounts.js';
import type { Principal } from '../domain/authenticate.js';
import { hasAutoKey } from '../domain/auto-key.js';
import type { CertificateReading } from '../domain/certificates/material.js';
import type { CertificateReader } from '../domain/certificates/read-certificate.js';
import { type Preparation, refused, type Submission, submittedOf, type Wellformed } from '../domain/change.js';
import type { Notice } from '../domain/notices.js';
import type { Policy } from '../domain/policy.js';
import { prepare } from '../domain/prepare.js';
import type { WriteKey } from '../domain/repeatable.js';
import { requestMessages } from '../domain/request-messages.js';
import type { StorageQuota } from '../domain/storage-quota.js';
import { countReferences, sizeError } from '../domain/submitted-object.js';
import type { TakenNumbers } from '../store/handles.js';
import { lockSource } from '../store/locks.js';
import { namesLiteral } from '../store/names.js';
import { isWrittenSince } from '../store/serials.js';
import type { Source } from '../store/sources.js';
import { storeWrites } from '../store/writes.js';
import { type Attempt, attempt, attemptWithoutWrites, type PreparedRequest, type Replies } from './attempt.js';
import { type Commits, decidedAgainStates } from './commits.js';
import { withEarlyMessages } from './early-messages.js';
import { type KeyUse, type RunningKeys, useOfKey } from './key-use.js';
import { loadingAlone, type SharedLoading } from './loading.js';
import { refuseAnonymous } from './refuse-anonymous.js';
import { asDryRun, bounded, unprepared } from './reply.js';
import { referencedNames } from './write-names.js';
import { turnNames, type WriteTurns } from './write-turns.js';

/** Finds the accounts of these names (lower case). Throws when the auth service is unavailable. */
export type AccountLookup = (names: readonly string[]) => Promise<KnownAccounts>;

/** Checks the name servers of a domain (rule G-DNS-CHECK). Never rejects. */
export type DelegationCheck = (domain: RpslObject) => Promise<Message[]>;

/** Records the notice of a refusal. Never rejects. */
export type RefusalNotices = (source: Source, notice: Notice) => Promise<void>;

/** What all writes of a process use. */
export interface WriteServices {
  /** For single read-only statements on the primary. */
  readonly readPool: pg.Pool;
  /** For writes: their loads, and transactions. */
  readonly writePool: pg.Pool;
  readonly loading: SharedLoading;
  /** Stores decided writes. */
  readonly commits: Commits;
  /** The numbers of handles that writes of this process are going to use. */
  readonly takenNumbers: TakenNumbers;
  readonly runningKeys: RunningKeys;
  readonly writeTurns: WriteTurns;
  /** Absent when name servers are not checked. */
  readonly delegations: DelegationCheck | undefined;
  readonly certificates: Pick<CertificateReader, 'read'>;
  readonly policy: Policy;
  readonly storageQuota: StorageQuota;
  /** Records refusals; absent when writes notify no one. */
  readonly notices: RefusalNotices | undefined;
  readonly clock: () => Date;
}

/** What one write uses. */
export interface WriteTools extends WriteServices {
  readonly accounts: AccountLookup;
  /** Aborted when the caller cancels: then nothing is stored, unless the commit has begun. */
  readonly signal: AbortSignal;
}

/** Changes that are made together: all or none. */
export interface WriteRequest {
  readonly source: Source;
  readonly submissions: readonly Submission[];
  readonly principal: Principal | undefined;
  /** IP address of the client; empty when unknown. */
  readonly clientAddress: string;
  readonly dryRun: boolean;
  /** The key for a retry; a dry run and an anonymous caller ignore it. */
  readonly key?: WriteKey | undefined;
}

/** The outcome of a write: one reply per submission, in their order, or the result of its key instead. */
export type Written = Replies | KeyUse;

/**
 * Makes changes in one transaction; a dry run only reads. When one is refused, the others are skipped. A write with a
 * used key is not made again. Throws only when something is broken.
 */
export async function write(tools: WriteTools, request: WriteRequest): Promise<Written> {
  const written = await outcomeOf(tools, request);
  if (!('replies' in written)) return written;
  const replies = written.replies.map(bounded);
  return { ...written, replies: request.dryRun ? replies.map(asDryRun) : replies };
}

async function outcomeOf(tools: WriteTools, request: WriteRequest): Promise<Written> {
  const { source, submissions, principal, dryRun } = request;
  const preparations = prepareAll(submissions, tools.policy.maxReferences);
  if (principal === undefined) {
    const prepared = allPrepared(preparations);
    if (prepared === undefined) return { replies: preparations.map(unprepared) };
    return { replies: await refuseAnonymous(tools.readPool, source, prepared) };
  }
  const key = dryRun ? undefined : request.key;
  if (key === undefined) return makeWrite(tools, request, principal, preparations, key);
  if (!tools.runningKeys.begin(key)) return { refusedKey: 'running' };
  try {
    return await makeWrite(tools, request, principal, preparations, key);
  } finally {
    tools.runningKeys.end(key);
  }
}

async function makeWrite(
  tools: WriteTools,
  { source, submissions, clientAddress, dryRun }: WriteRequest,
  principal: Principal,
  preparations: readonly Preparation[],
  key: WriteKey | undefined,
): Promise<Written> {
  // Other services may answer differently than for the first request.
  const use = key && (await useOfKey(tools.readPool, key, tools.clock()));
  if (use !== undefined) return use;
  const checked = await checkElsewhere(tools, preparations);
  const prepared = allPrepared(checked.preparations);
  const { policy, storageQuota } = tools;
  if (prepared === undefined) {
    const { preparations: refusals } = checked;
    const known = dryRun ? await withEarlyMessages(tools.readPool, source, refusals, policy) : refusals;
    return { replies: known.map(unprepared) };
  }
  const now = new Date(Math.trunc(tools.clock().getTime() / 1000) * 1000);
  const certificates = await readCertificates(tools, prepared, now);
  const notifies = tools.notices !== undefined;
  const { accounts } = checked;
  const caller = { principal, clientAddress };
  const expectedStates = submissions.map((submission) => submission.expectedStates);
  const ready = {
    source,
    prepared,
    certificates,
    accounts,
    ...caller,
    policy,
    storageQuota,
    expectedStates,
    key,
    notifies,
    now,
  };
  const { signal } = tools;
  const snapshot = { isolation: 'repeatable read', readOnly: true, signal } as const;
  return dryRun
    ? inTransaction(tools.writePool, (db) => attemptWithoutWrites(loadingAlone(db), ready), snapshot)
    : storeInTurn(tools, ready);
}

async function storeInTurn(tools: WriteTools, ready: PreparedRequest): Promise<Written> {
  const end = await tools.writeTurns.take(turnNames(ready.prepared), tools.signal);
  try {
    return await storeOnce(tools, ready);
  } finally {
    end();
  }
}

/** Maximum attempts at a write; then it locks the source's row before it loads. */
const maxRefusals = 2;

/** Decides until the decision is still valid when it is stored. */
async function storeOnce(tools: WriteTools, ready: PreparedRequest): Promise<Written> {
  const { readPool, loading, commits, notices, clock, signal } = tools;
  const { source, key } = ready;
  const replyTo = async (result: Extract<Attempt, { unstored: Replies }>) => {
    if (result.refusal !== undefined) await notices?.(source, result.refusal);
    return result.unstored;
  };
  for (let refusals = 0; refusals < maxRefusals; refusals++) {
    const held = tools.takenNumbers.hold();
    try {
      const result = await loading.run(signal, async (db) => {
        const decided = await attempt(db, ready, held);
        if ('write' in decided) return decided;
        const { since, read } = decided.facts;
        return (await isWrittenSince(db, source.id, since.serial, namesLiteral(read))) ? undefined : decided;
      });
      if (result !== undefined && 'write' in result) {
        const first = await commits.store(source.id, result.write, signal);
        if (first !== 'again') return result.storedReplies(first);
      }
      // The conflict may be the same write, made by another replica.
      const use = key && (await useOfKey(readPool, key, clock()));
      if (use !== undefined) return use;
      if (result !== undefined && 'unstored' in result) return await replyTo(result);
    } finally {
      held.release();
    }
  }
  const result = await commits.alone(source.id, () => storeAlone(tools, ready));
  return 'unstored' in result ? replyTo(result) : result;
}

/** Maximum time for which a write may delay all others. */
const maxAloneMs = 5_000;

/** Decides a write while nothing else is committed in its source. */
async function storeAlone({ writePool, takenNumbers, signal }: WriteTools, ready: PreparedRequest) {
  const { source, key } = ready;
  const limit = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const storing = inTransaction(
    writePool,
    async (db, commitWith) => {
      await lockSource(db, source.id);
      timer ??= setTimeout(() => limit.abort(takesTooLong()), maxAloneMs);
      const use = key && (await useOfKey(db, key, ready.now));
      if (use !== undefined) return use;
      const held = takenNumbers.hold();
      try {
        const decided = await attempt(loadingAlone(db), ready, held);
        if ('unstored' in decided) return decided;
        const [first] = await commitWith(() => storeWrites(db, source.id, [decided.write]));
        if (first === undefined) throw new Error('another writer does not lock the row of the source first');
        return decided.storedReplies(first);
      } finally {
        held.release();
      }
    },
    { isolation: 'read committed', retriedStates: decidedAgainStates, signal: AbortSignal.any([signal, limit.signal]) },
  );
  return storing.finally(() => clearTimeout(timer));
}

function takesTooLong(): ServiceError {
  const cause = new Error(`a write that others interrupted needed more than ${maxAloneMs} ms alone`);
  return new ServiceError('unavailable', 'Service temporarily unavailable', { cause });
}

/** Prepares all submissions, without stored data. Does not parse oversized ones. */
function prepareAll(submissions: readonly Submission[], maxReferences: number): Preparation[] {
  const excess = sizeError(submissions);
  if (excess !== undefined) return submissions.map(() => refused([excess]));
  const preparations = submissions.map((submission) =>
    countReferences(submission.attributes) > maxReferences
      ? refused([messages.tooManyReferences()])
      : prepare(submission),
  );
  return refuseAccounts(refuseTooMany(refuseRepeated(preparations), maxReferences));
}

/** The prepared changes; undefined when not all are. */
function allPrepared(preparations: readonly Preparation[]): readonly Wellformed[] | undefined {
  const prepared = preparations.flatMap((preparation) => (preparation.ok ? [preparation.prepared] : []));
  return prepared.length === preparations.length ? prepared : undefined;
}

/** Calls other services: checks the name servers of domains, and account names with the auth service. */
async function checkElsewhere(
  { accounts: lookup, delegations }: WriteTools,
  wellFormed: readonly Preparation[],
): Promise<{ preparations: readonly Preparation[]; accounts: KnownAccounts }> {
  const preparations = await Promise.all(wellFormed.map((preparation) => checkDelegation(preparation, delegations)));
  const names = submittedAccountNames(preparations);
  if (names.length === 0) return { preparations, accounts: new Map() };
  const accounts = await knownAccounts(lookup, names);
  const checked = checkAccounts(preparations, accounts).map((one) => withStoredAccounts(one, accounts));
  return { preparations: checked, accounts };
}

/** Refuses a domain that its name servers do not serve. */
async function checkDelegation(
  preparation: Preparation,
  delegations: DelegationCheck | undefined,
): Promise<Preparation> {
  if (!preparation.ok || preparation.prepared.type !== 'domain' || preparation.prepared.verb === 'delete') {
    return preparation;
  }
  const { prepared } = preparation;
  const said = (await delegations?.(prepared.object)) ?? [];
  return said.length === 0 ? preparation : refused(sortMessages([...prepared.messages, ...said]), prepared.submitted);
}

/** Replaces account names by their stable subjects, as stored. Does not change `submitted`. */
function withStoredAccounts(preparation: Preparation, accounts: KnownAccounts): Preparation {
  if (!preparation.ok) return preparation;
  const { prepared } = preparation;
  if (prepared.verb === 'delete') {
    const { expected } = prepared;
    return expected ? { ok: true, prepared: { ...prepared, expected: withSubjects(expected, accounts) } } : preparation;
  }
  return { ok: true, prepared: { ...prepared, object: withSubjects(prepared.object, accounts) } };
}

/** Without the auth service the write fails, so that nothing unchecked is stored (decision W14). */
async function knownAccounts(lookup: AccountLookup, names: readonly string[]): Promise<KnownAccounts> {
  try {
    return await lookup(names);
  } catch (cause) {
    throw new ServiceError('unavailable', [failureMessage(requestMessages.accountsUnavailable().text)], { cause });
  }
}

/** Refuses a second change of the same object in one write. */
function refuseRepeated(preparations: readonly Preparation[]): Preparation[] {
  const seen = new Set<string>();
  return preparations.map((preparation) => {
    if (!preparation.ok || hasAutoKey(preparation.prepared.type, preparation.prepared.key.folded)) return preparation;
    const { type, key } = preparation.prepared;
    const name = `${type} ${key.folded}`;
    const isFirst = !seen.has(name);
    seen.add(name);
    return isFirst
      ? preparation
      : refused([requestMessages.changedTwice(type, key.shown)], submittedOf(preparation.prepared));
  });
}

function refuseTooMany(preparations: Preparation[], limit: number): Preparation[] {
  const prepared = preparations.flatMap((preparation) => (preparation.ok ? [preparation.prepared] : []));
  return new Set(referencedNames(prepared)).size <= limit
    ? preparations
    : preparations.map((one) => (one.ok ? refused([messages.tooManyReferences()], submittedOf(one.prepared)) : one));
}

/** Counts the accounts before it calls the auth service, which queries the identity provider for each. */
function refuseAccounts(preparations: Preparation[]): Preparation[] {
  const { length } = submittedAccountNames(preparations);
  return length <= maxAccounts
    ? preparations
    : preparations.map((one) =>
        one.ok ? refused([messages.tooManyAccounts(length, maxAccounts)], submittedOf(one.prepared)) : one,
      );
}

/** Reads the key of each key-cert in the write, one at a time, so that a request occupies one thread. */
async function readCertificates(
  { certificates }: WriteTools,
  changes: readonly Wellformed[],
  now: Date,
): Promise<(CertificateReading | undefined)[]> {
  const readings: (CertificateReading | undefined)[] = [];
  for (const change of changes) {
    const isKeyCert = change.type === 'key-cert' && change.verb !== 'delete';
    readings.push(isKeyCert ? await certificates.read(change.object, now) : undefined);
  }
  return readings;
}
