import type { Message } from '@cadastre/rpsl';
import { withSubjects } from '../domain/account-subjects.js';
import type { KnownAccounts } from '../domain/accounts.js';
import type { KeyFingerprints } from '../domain/authenticate.js';
import type { CertificateReading } from '../domain/certificates/certificate-model.js';
import type { Change } from '../domain/change.js';
import { decide, isGranted } from '../domain/decide.js';
import { factsOf } from '../domain/facts.js';
import { objectName } from '../domain/known-objects.js';
import type { Policy } from '../domain/policy.js';
import type { Principal } from '../domain/principal.js';
import type { Prepared } from '../domain/submission.js';
import { transform } from '../domain/transform.js';
import { foreseenHandles, type Handles, takenHandles } from '../store/handles.js';
import { lockForWrite } from '../store/locks.js';
import type { Source } from '../store/sources.js';
import type { Db, StoredObject } from '../store/stored-object.js';
import { assignKeys, type KeyAssignment } from './assign-keys.js';
import { type LoadedFacts, loadFacts } from './load-facts.js';
import { type DecidedChange, persist, previewOf } from './persist.js';
import { absence, allOrNone, granted, refusal, type WriteReply } from './reply.js';
import { authorityLocks, writeLocks } from './write-locks.js';

/** A write request whose objects are all well-formed, with what other services said about them. */
export interface PreparedRequest {
  readonly source: Source;
  readonly prepared: readonly Prepared[];
  /** The key of each change, when it writes a key-cert. */
  readonly certificates: readonly (CertificateReading | undefined)[];
  /** The accounts that the objects name, by lower-case name. */
  readonly accounts: KnownAccounts;
  readonly principal: Principal;
  readonly policy: Policy;
  readonly now: Date;
}

/** Takes the locks, loads the facts, decides on all changes, and stores them when all are granted. */
export async function attempt(db: Db, request: PreparedRequest): Promise<WriteReply[]> {
  const { source, prepared, now } = request;
  const facts = await lockAndLoad(db, request);
  await db.query('savepoint attempt');
  const result = await decideAll(db, request, facts, takenHandles(db, source.id));
  if ('replies' in result) return result.replies;
  const { decided } = result;
  if (!decided.every(({ decision }) => isGranted(decision.outcome))) {
    await db.query('rollback to savepoint attempt');
    return unstoredReplies(request, decided);
  }
  const stored = await persist(db, source, decided, now);
  return decided.map((one, index) => replyTo(one, prepared[index]!, stored[index]!));
}

/** Returns what `attempt` would return, without locks or writes. The transaction must read one snapshot. */
export async function attemptWithoutWrites(db: Db, request: PreparedRequest): Promise<WriteReply[]> {
  const { source, prepared } = request;
  const facts = await loadFacts(db, source.id, prepared, request);
  const result = await decideAll(db, request, facts, foreseenHandles(db, source.id));
  return 'replies' in result ? result.replies : unstoredReplies(request, result.decided);
}

/** Decides on all changes; returns replies instead when objects to update or delete do not exist. */
async function decideAll(
  db: Db,
  request: PreparedRequest,
  facts: LoadedFacts,
  handles: Handles,
): Promise<{ readonly decided: readonly DecidedChange[] } | { readonly replies: WriteReply[] }> {
  const { source, prepared, policy } = request;
  const exists = (change: Prepared) => facts.loaded.objects.has(nameOf(change));
  const replies = absence(prepared, exists);
  if (replies !== undefined) return { replies };
  const assigned = await assignKeys(db, source, handles, policy, prepared, prepared.map(exists));
  return { decided: decideWith(request, facts, assigned) };
}

/** The replies to changes that are not stored. */
function unstoredReplies({ source, prepared, now }: PreparedRequest, decided: readonly DecidedChange[]): WriteReply[] {
  const replies = decided.map((one, at) => replyTo(one, prepared[at]!, previewOf(source, one, now)));
  return allOrNone(replies, prepared);
}

/**
 * Takes the locks of the write and loads its facts. Only the facts show on whose authority the write rests. If some of
 * that was not locked, this releases all locks, takes them again with the new ones, so that every write takes them in the
 * same order, and loads the facts again.
 */
async function lockAndLoad(db: Db, request: PreparedRequest): Promise<LoadedFacts> {
  const { source, prepared, principal } = request;
  const { exclusive, shared } = writeLocks(prepared);
  const held = new Set([...exclusive, ...shared]);
  await db.query('savepoint locks');
  for (;;) {
    await lockForWrite(db, source.id, { exclusive, shared: [...held] });
    const facts = await loadFacts(db, source.id, prepared, request);
    const missing = authorityLocks(facts, principal).filter((name) => !held.has(name));
    if (missing.length === 0) {
      return facts;
    }
    for (const name of missing) {
      held.add(name);
    }
    await db.query('rollback to savepoint locks');
  }
}

function nameOf(change: Prepared): string {
  return objectName(change.type, change.key.folded);
}

/** Decides on each change, given the effects of all others. */
function decideWith(
  request: PreparedRequest,
  { loaded, surroundings, keys, emailMarks }: LoadedFacts,
  assigned: KeyAssignment,
): DecidedChange[] {
  const { source, prepared, certificates, accounts } = request;
  const changes = prepared.map((change, index) => {
    const stored = loaded.objects.get(nameOf(change));
    // Legacy objects have account names instead of subjects, which does not count as a difference.
    return makeChange(change, stored && withSubjects(stored, accounts), certificates[index], assigned, index);
  });
  const made = changes.map(({ change }) => change);
  const common = { source: source.name, before: loaded.objects, keys, newKeys: keysOf(made), emailMarks };
  const facts = factsOf(common, made, surroundings);
  return changes.map(({ change, said }, index) => {
    const submission = prepared[index]!;
    return {
      decision: decide(change, facts[index]!, said, request),
      key: change.key.folded,
      row: loaded.rows.get(nameOf(submission)),
      reason: submission.verb === 'delete' ? submission.reason || '--' : '',
      signingSubkeys: change.certificate?.ok ? change.certificate.facts.signingSubkeys : [],
    };
  });
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

function replyTo({ decision }: DecidedChange, prepared: Prepared, state: StoredObject): WriteReply {
  const { outcome, messages: said } = decision;
  const serial = outcome === 'unchanged' ? 0n : state.serial;
  return isGranted(outcome) ? granted(outcome, said, state, serial) : refusal(outcome, said, prepared);
}
