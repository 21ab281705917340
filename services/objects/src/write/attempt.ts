import { messages } from '@cadastre/rpsl';
import { withSubjects } from '../domain/account-subjects.js';
import type { KnownAccounts } from '../domain/accounts.js';
import type { KeyFingerprints } from '../domain/authenticate.js';
import type { CertificateReading } from '../domain/certificates/certificate-model.js';
import type { Change } from '../domain/change.js';
import { type Circumstances, decide, isGranted } from '../domain/decide.js';
import { factsOf } from '../domain/facts.js';
import { objectName } from '../domain/known-objects.js';
import { requestMessages } from '../domain/request-messages.js';
import type { Prepared } from '../domain/submission.js';
import { type Transformed, transform } from '../domain/transform.js';
import { lockForWrite } from '../store/locks.js';
import type { Source } from '../store/sources.js';
import type { Db } from '../store/stored-object.js';
import { type Claims, claimKeys } from './claim-keys.js';
import { loadSituation, type Situation } from './load-facts.js';
import { foresee, type Plan, persist } from './persist.js';
import { allOrNone, granted, refusal, skipped, type WriteReply } from './reply.js';
import { authorityLocks, writeLocks } from './write-locks.js';

/** A write whose objects are well-formed. */
export interface PreparedRequest {
  readonly source: Source;
  readonly prepared: readonly Prepared[];
  /** Of each change, when it is about a key-cert. */
  readonly certificates: readonly (CertificateReading | undefined)[];
  /** The accounts that the objects name, by lower-case name. */
  readonly accounts: KnownAccounts;
  readonly circumstances: Circumstances;
  readonly dryRun: boolean;
}

/** Decides, under locks, on what is stored; stores the changes when all are granted and it is no trial. */
export async function attempt(db: Db, request: PreparedRequest): Promise<WriteReply[]> {
  const { source, prepared, circumstances, dryRun } = request;
  const situation = await lockAndLoad(db, request);
  if (prepared.some((change) => isAbsent(change, situation))) {
    return prepared.map((change) => (isAbsent(change, situation) ? notFound(change) : skipped(change)));
  }
  await db.query('savepoint attempt');
  const exists = prepared.map((change) => situation.loaded.objects.has(nameOf(change)));
  const claims = await claimKeys(db, source, circumstances.policy, prepared, exists);
  const plans = makePlans(request, situation, claims);
  const isGrantedWhole = plans.every(({ decision }) => isGranted(decision.outcome));
  if (dryRun || !isGrantedWhole) {
    await db.query('rollback to savepoint attempt');
    return allOrNone(
      plans.map((plan, index) => replyTo(plan, prepared[index]!, foresee(source, plan, circumstances.now))),
      prepared,
    );
  }
  const stored = await persist(db, source, plans, circumstances.now);
  return plans.map((plan, index) => replyTo(plan, prepared[index]!, stored[index]!));
}

/**
 * Locks what the write has to do with, and loads it. On whose authority it rests is seen only then: what was not locked
 * is read again after it was, all locks being taken anew, so that everybody takes them in the same order.
 */
async function lockAndLoad(db: Db, { source, prepared, circumstances }: PreparedRequest): Promise<Situation> {
  const { exclusive, shared } = writeLocks(prepared);
  const held = new Set([...exclusive, ...shared]);
  await db.query('savepoint locks');
  for (;;) {
    await lockForWrite(db, source.id, { exclusive, shared: [...held] });
    const situation = await loadSituation(db, source.id, prepared, circumstances);
    const missing = authorityLocks(situation, circumstances.principal).filter((name) => !held.has(name));
    if (missing.length === 0) {
      return situation;
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

function isAbsent(change: Prepared, { loaded }: Situation): boolean {
  return change.verb !== 'create' && !loaded.objects.has(nameOf(change));
}

function notFound(change: Prepared): WriteReply {
  const message =
    change.verb === 'delete'
      ? requestMessages.notFound()
      : messages.doesNotExist(`[${change.type}] ${change.key.shown}`);
  return refusal('not-found', [message], change);
}

/** What is to be done about each change, in the light of all of them. */
function makePlans(
  request: PreparedRequest,
  { loaded, surroundings, keys, emailMarks }: Situation,
  claims: Claims,
): Plan[] {
  const { source, prepared, certificates, accounts, circumstances } = request;
  const changes = prepared.map((change, index) => {
    const stored = loaded.objects.get(nameOf(change));
    // Legacy objects name accounts by their names: to say the same is to change nothing.
    return makeChange(change, stored && withSubjects(stored, accounts), certificates[index], claims, index);
  });
  const made = changes.map(({ change }) => change);
  const common = { source: source.name, before: loaded.objects, keys, newKeys: keysOf(made), emailMarks };
  const facts = factsOf(common, made, surroundings);
  return changes.map(({ change, said }, index) => {
    const submission = prepared[index]!;
    return {
      decision: decide(change, facts[index]!, said, circumstances),
      key: change.key.folded,
      row: loaded.rows.get(nameOf(submission)),
      reason: submission.verb === 'delete' ? submission.reason || '--' : '',
    };
  });
}

/** The keys of the key-certs that the write makes. */
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
  claims: Claims,
  index: number,
): { change: Change; said: Transformed['messages'] } {
  if (prepared.verb === 'delete') {
    const { key, expected } = prepared;
    return { change: { action: 'delete', key, object: stored!, stored, expected }, said: [] };
  }
  const transformed = transform(prepared, claims.own[index], claims.byPlaceholder);
  const action = prepared.verb === 'create' ? 'create' : 'modify';
  return {
    change: { action, key: transformed.key, object: transformed.object, stored, certificate },
    said: [...prepared.messages, ...claims.messages[index]!, ...transformed.messages],
  };
}

function replyTo({ decision }: Plan, prepared: Prepared, state: Plan['row'] & object): WriteReply {
  const { outcome, messages: said } = decision;
  const serial = outcome === 'unchanged' ? 0n : state.serial;
  return isGranted(outcome) ? granted(outcome, said, state, serial) : refusal(outcome, said, prepared);
}
