import { type Message, printObject, sortMessages } from '@cadastre/rpsl';
import { failureMessage, ServiceError } from '@cadastre/service';
import { type KnownAccounts, withSubjects } from '../domain/accounts.js';
import { callerOf, type KeyFingerprints } from '../domain/authenticate.js';
import type { CertificateReading } from '../domain/certificates/material.js';
import type { Change, ObjectState, Prepared, Wellformed } from '../domain/change.js';
import { decide, isGranted, type Outcome } from '../domain/decide.js';
import { factsOf } from '../domain/facts.js';
import { type KnownObjects, knownContacts, objectName } from '../domain/known-objects.js';
import { type Notice, noticeOfChanges, noticeOfRefusals } from '../domain/notices.js';
import type { Policy } from '../domain/policy.js';
import { type StoredResult, storedResults, type WriteKey } from '../domain/repeatable.js';
import { requestMessages } from '../domain/request-messages.js';
import { type Charge, checkQuotas, isLimited, payerOfDay, payersOf } from '../domain/storage-quota.js';
import { transform } from '../domain/transform.js';
import type { HeldNumbers } from '../store/handles.js';
import type { Source } from '../store/sources.js';
import type { StoredObject } from '../store/stored-object.js';
import type { DecidedWrite } from '../store/writes.js';
import type { KeyAssignment } from './assign-keys.js';
import { type FactsRequest, type LoadedFacts, loadFacts } from './load-facts.js';
import type { Loading } from './loading.js';
import { type DecidedChange, objectChanges, previewOf, storedStates } from './persist.js';
import { absence, allOrNone, granted, refusal, type WriteReply } from './reply.js';
import { writeNames } from './write-names.js';

/** A write request whose objects are all well-formed, with the answers of other services about them. */
export interface PreparedRequest extends FactsRequest {
  readonly source: Source;
  readonly prepared: readonly Wellformed[];
  /** The key of each change, when it writes a key-cert. */
  readonly certificates: readonly (CertificateReading | undefined)[];
  /** The accounts that the objects name, by lower-case name. */
  readonly accounts: KnownAccounts;
  /** The accepted states of the object of each change; undefined when any is accepted. */
  readonly expectedStates: readonly (readonly ObjectState[] | undefined)[];
  /** The key for a retry, if there is one. */
  readonly key: WriteKey | undefined;
}

/** The replies to a write. */
export interface Replies {
  readonly replies: readonly WriteReply[];
  /** The storage of the caller today, with this write; absent without a limit, and when the write stores no text. */
  readonly storageToday?: Charge | undefined;
}

/** The decision on a write. */
export type Attempt =
  /** What to store, and the replies once it is stored, given the serial of its first change. */
  | { readonly write: DecidedWrite; storedReplies(first: bigint): Replies }
  /** Nothing is stored, if the loaded data is consistent. */
  | {
      readonly facts: Pick<LoadedFacts, 'since' | 'read'>;
      readonly unstored: Replies;
      /** The notice of a refusal, which is not stored yet. */
      readonly refusal?: Notice | undefined;
    };

/** Loads the facts and decides on all changes; `held` gets the numbers of handles that the write uses. */
export async function attempt(db: Loading, request: PreparedRequest, held: HeldNumbers): Promise<Attempt> {
  const { source, prepared, principal, clientAddress, policy, key, notifies, now } = request;
  const facts = await loadFacts(db, source, prepared, request, held);
  const unstored = (replies: readonly WriteReply[]) => ({
    facts,
    unstored: { replies, storageToday: storageToday(request, facts, []) },
  });
  const result = decideAll(request, facts);
  if ('replies' in result) return unstored(result.replies);
  const { decided, known, keys, charges } = result;
  const noticeOf = (concerns: (outcome: Outcome) => boolean, notice: typeof noticeOfChanges) =>
    notifies
      ? notice(
          decided.filter(({ decision }) => concerns(decision.outcome)),
          known(),
          { principal, keys, clientAddress, now },
        )
      : undefined;
  if (!decided.every(({ decision }) => isGranted(decision.outcome))) {
    const refusal = noticeOf((outcome) => outcome === 'unauthorised', noticeOfRefusals);
    return { ...unstored(unstoredReplies(request, decided)), refusal };
  }
  requireFewNewAddresses(facts, policy);
  const changes = objectChanges(source, decided);
  if (changes.length === 0 && key === undefined) return unstored(unstoredReplies(request, decided));
  const notice = noticeOf((outcome) => outcome !== 'unchanged', noticeOfChanges);
  const { unknown: addresses } = facts.namedAddresses;
  const write = {
    since: facts.since,
    names: writeNames(facts, decided, key),
    changes,
    instant: now,
    named: { account: callerOf(request), addresses, bound: policy.newAddressesPerDay },
    notice,
    repeatable: key && { key, results: storedResults(decided.map((one) => resultOf(source, one, now))) },
    charges,
  };
  const storedReplies = (first: bigint) => {
    const stored = storedStates(source, decided, first, now);
    return {
      replies: decided.map((one, index) => replyTo(one, prepared[index]!, stored[index]!)),
      storageToday: storageToday(request, facts, charges),
    };
  };
  return { write, storedReplies };
}

/** Returns the replies that a write would get. The transaction must read one snapshot. */
export async function attemptWithoutWrites(db: Loading, request: PreparedRequest): Promise<Replies> {
  const { source, prepared } = request;
  const facts = await loadFacts(db, source, prepared, request);
  const result = decideAll(request, facts);
  const isStored = 'decided' in result && result.decided.every(({ decision }) => isGranted(decision.outcome));
  if (isStored) requireFewNewAddresses(facts, request.policy);
  const replies = 'replies' in result ? result.replies : unstoredReplies(request, result.decided);
  return { replies, storageToday: storageToday(request, facts, []) };
}

/** The storage of the caller today; undefined when nothing was loaded because no text would be stored. */
function storageToday(
  request: PreparedRequest,
  { storageUse }: LoadedFacts,
  charges: readonly Charge[],
): Charge | undefined {
  const payer = payerOfDay(request, request.storageQuota, request.now);
  if (!isLimited(payer) || request.prepared.every(({ verb }) => verb === 'delete')) return undefined;
  const added = charges.find((charge) => charge.payer.id === payer.id)?.bytes ?? 0;
  return { payer, bytes: (storageUse.get(payer.id) ?? 0) + added };
}

/** Refuses a write that names more unknown addresses than its account may name today. */
function requireFewNewAddresses({ namedAddresses: { unknown, namedToday } }: LoadedFacts, policy: Policy): void {
  const { newAddressesPerDay: bound } = policy;
  if (unknown.length === 0 || namedToday + unknown.length <= bound) return;
  const { text, args } = requestMessages.tooManyNewAddresses(unknown.length, Math.max(0, bound - namedToday), bound);
  throw new ServiceError('exhausted', [failureMessage(text, args)]);
}

/** Decides on all changes; returns replies instead when objects to update or delete do not exist. */
function decideAll(
  request: PreparedRequest,
  facts: LoadedFacts,
): Decided | { readonly replies: readonly WriteReply[] } {
  const { objects } = facts.loaded;
  const replies = absence(facts.changes, (change) => objects.has(nameOf(change)));
  return replies === undefined ? decideWith(request, facts) : { replies };
}

interface Decided {
  readonly decided: readonly DecidedChange[];
  /** The objects that the changes name: the stored ones, and those that the write creates. */
  known(): KnownObjects;
  /** Of the key-certs that candidates for authorisation name, and of those that the write creates. */
  readonly keys: KeyFingerprints;
  /** The charges of what is stored. */
  readonly charges: readonly Charge[];
}

/** The replies to changes that are not stored. */
function unstoredReplies(
  { source, prepared, now }: PreparedRequest,
  decided: readonly DecidedChange[],
): readonly WriteReply[] {
  const replies = decided.map((one, at) => replyTo(one, prepared[at]!, previewOf(source, one, now)));
  return allOrNone(replies, prepared);
}

/** The stored result of a change that is about to be stored. */
function resultOf(source: Source, change: DecidedChange, now: Date): StoredResult {
  const { outcome, messages } = change.decision;
  const { type, key, revision } = previewOf(source, change, now);
  return { outcome, type, key, revision, messages };
}

function nameOf(change: Wellformed): string {
  return objectName(change.type, change.key.folded);
}

/** Decides on each change, given the effects of all others. */
function decideWith(
  request: PreparedRequest,
  { changes: prepared, loaded, surroundings, keys, assigned, emailMarks, storageUse }: LoadedFacts,
): Decided {
  const { source, certificates, accounts, expectedStates } = request;
  const changes = prepared.map((change, index) => {
    const stored = loaded.objects.get(nameOf(change));
    // Legacy objects have account names instead of subjects, which does not count as a difference.
    const made = makeChange(change, stored && withSubjects(stored, accounts), certificates[index], assigned, index);
    const stale = staleness(loaded.rows.get(nameOf(change)), expectedStates[index]);
    return { ...made, change: { ...made.change, stale } };
  });
  const made = changes.map(({ change }) => change);
  const newKeys = keysOf(made);
  const common = { source: source.name, before: loaded.objects, keys, newKeys, emailMarks };
  const facts = factsOf(common, made, surroundings);
  const decisions = changes.map(({ change, said }, index) => {
    const submission = prepared[index]!;
    const decision = decide(change, facts[index]!, said, request);
    return {
      change,
      decision,
      text: decision.outcome === 'created' || decision.outcome === 'modified' ? printObject(decision.object) : '',
      contacts: knownContacts(decision.object, facts[index]!.after),
      key: change.key.folded,
      row: loaded.rows.get(nameOf(submission)),
      reason: submission.verb === 'delete' ? submission.reason || '--' : '',
      signingSubkeys: change.certificate?.ok ? change.certificate.facts.signingSubkeys : [],
    };
  });
  const quota = { quota: request.storageQuota, policy: request.policy, now: request.now };
  const texts = decisions.map(({ change, text }, index) => ({
    payers: text === '' ? [] : payersOf(change, facts[index]!, request, quota),
    bytes: text.length,
  }));
  const { refusals, charges } = checkQuotas(texts, storageUse);
  const decided = decisions.map((one, index) => {
    const refused = refusals[index];
    if (refused === undefined) return one;
    const messages = sortMessages([...one.decision.messages, refused.message]);
    return { ...one, decision: { ...one.decision, outcome: refused.outcome, messages } };
  });
  return {
    decided,
    charges,
    known: () => new Map([...facts[0]!.after, ...loaded.objects]),
    keys: new Map([...newKeys, ...keys]),
  };
}

/** Why a stored state is not among the expected ones; undefined when it is. */
function staleness(row: StoredObject | undefined, expected: readonly ObjectState[] | undefined): Message | undefined {
  if (row === undefined || expected === undefined) return undefined;
  const { revision, modified } = row;
  const isExpected = expected.some((one) => one.revision === revision && +one.modified === +modified);
  return isExpected ? undefined : requestMessages.changedSince(revision, modified);
}

/** The keys of the key-certs that the write creates. */
function keysOf(changes: readonly Change[]): KeyFingerprints {
  const made = changes.filter(({ action, stored }) => action === 'create' && stored === undefined);
  return new Map(
    made.flatMap(({ key, certificate }) =>
      certificate?.ok ? [[key.folded, certificate.facts.keyFingerprint] as const] : [],
    ),
  );
}

function makeChange(
  prepared: Prepared,
  stored: Change['stored'],
  certificate: CertificateReading | undefined,
  assigned: KeyAssignment,
  index: number,
): { change: Change; said: readonly Message[] } {
  if (prepared.verb === 'delete') {
    const { key, expected } = prepared;
    return { change: { action: 'delete', key, object: stored!, stored, expected }, said: [] };
  }
  const transformed = transform(prepared, assigned.own[index], assigned.byPlaceholder);
  const action = prepared.verb === 'create' ? 'create' : 'modify';
  return {
    change: { action, key: transformed.key, object: transformed.object, stored, certificate },
    said: [...prepared.messages, ...assigned.messages[index]!, ...transformed.messages],
  };
}

function replyTo({ decision, contacts }: DecidedChange, prepared: Wellformed, stored: StoredObject): WriteReply {
  const { outcome, messages: said } = decision;
  const serial = outcome === 'unchanged' ? 0n : stored.serial;
  return isGranted(outcome) ? granted(outcome, said, { stored, contacts }, serial) : refusal(outcome, said, prepared);
}
