import { type Message, messages, type RpslObject, sortMessages } from '@cadastre/rpsl';
import { failureMessage, inTransaction, ServiceError } from '@cadastre/service';
import type pg from 'pg';
import { withSubjects } from '../domain/account-subjects.js';
import { checkAccounts, type KnownAccounts, submittedAccountNames } from '../domain/accounts.js';
import { hasAutoKey } from '../domain/auto-key.js';
import type { CertificateReading } from '../domain/certificates/certificate-model.js';
import { readCertificate } from '../domain/certificates/read-certificate.js';
import type { Policy } from '../domain/policy.js';
import { prepare } from '../domain/prepare.js';
import type { Principal } from '../domain/principal.js';
import { requestMessages } from '../domain/request-messages.js';
import { type Preparation, type Prepared, refused, type Submission, submittedOf } from '../domain/submission.js';
import type { Source } from '../store/sources.js';
import { attempt } from './attempt.js';
import { asDryRun, unprepared, type WriteReply } from './reply.js';
import { writeLocks } from './write-locks.js';

/** Tells which of these names (lower case) are accounts. Throws when it cannot be told. */
export type AccountLookup = (names: readonly string[]) => Promise<KnownAccounts>;

/** Tells what is wrong with the name servers of a domain (rule G-DNS-CHECK). Never rejects. */
export type DelegationCheck = (domain: RpslObject) => Promise<Message[]>;

/** What a write is done with. */
export interface WriteTools {
  readonly pool: pg.Pool;
  readonly accounts: AccountLookup;
  /** Absent where name servers are not looked at. */
  readonly delegations: DelegationCheck | undefined;
  readonly policy: Policy;
  readonly clock: () => Date;
}

/** Changes that are made together: all of them or none. */
export interface WriteRequest {
  readonly source: Source;
  readonly submissions: readonly Submission[];
  readonly principal: Principal | undefined;
  readonly dryRun: boolean;
}

/**
 * Makes changes in one transaction. A refusal is an answer; what throws is broken. Replies stand in the order of the
 * submissions; when one is refused, the others are skipped.
 */
export async function write(tools: WriteTools, request: WriteRequest): Promise<WriteReply[]> {
  const { source, principal, dryRun } = request;
  const { preparations, accounts } = await prepareAll(tools, request);
  const prepared = preparations.flatMap((preparation) => (preparation.ok ? [preparation.prepared] : []));
  const circumstances = { principal, policy: tools.policy, now: wholeSeconds(tools.clock()) };
  const certificates = await Promise.all(prepared.map((change) => certificateOf(change, circumstances.now)));
  const replies =
    prepared.length < preparations.length
      ? preparations.map(unprepared)
      : await inTransaction(tools.pool, (db) =>
          attempt(db, { source, prepared, certificates, accounts, circumstances, dryRun }),
        );
  return dryRun ? replies.map(asDryRun) : replies;
}

/** The registry's times are whole seconds, in objects as in their history. */
function wholeSeconds(time: Date): Date {
  return new Date(Math.trunc(time.getTime() / 1000) * 1000);
}

async function prepareAll(
  { accounts: lookup, delegations, policy }: WriteTools,
  request: WriteRequest,
): Promise<{ preparations: Preparation[]; accounts: KnownAccounts }> {
  const wellFormed = refuseTooMany(refuseRepeated(request.submissions.map(prepare)), policy.maxReferences);
  if (request.principal === undefined) {
    // Nobody's writes are refused in any case; they do not find out who has an account, nor make us ask name servers.
    return { preparations: wellFormed, accounts: new Map() };
  }
  const preparations = await Promise.all(wellFormed.map((preparation) => checkDelegation(preparation, delegations)));
  const names = submittedAccountNames(preparations);
  if (names.length === 0) {
    return { preparations, accounts: new Map() };
  }
  const accounts = await knownAccounts(lookup, names);
  const checked = preparations.map((preparation) => withStoredAccounts(checkAccounts(preparation, accounts), accounts));
  return { preparations: checked, accounts };
}

/** A domain that its name servers do not serve is not looked at any further. */
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

/** What is stored names accounts by their stable subjects; what was submitted is shown as it was. */
function withStoredAccounts(preparation: Preparation, accounts: KnownAccounts): Preparation {
  if (!preparation.ok) {
    return preparation;
  }
  const { prepared } = preparation;
  if (prepared.verb === 'delete') {
    const { expected } = prepared;
    return expected ? { ok: true, prepared: { ...prepared, expected: withSubjects(expected, accounts) } } : preparation;
  }
  return { ok: true, prepared: { ...prepared, object: withSubjects(prepared.object, accounts) } };
}

/** When nobody can tell, nothing is stored unchecked (decision W14). */
async function knownAccounts(lookup: AccountLookup, names: readonly string[]): Promise<KnownAccounts> {
  try {
    return await lookup(names);
  } catch (cause) {
    throw new ServiceError('unavailable', [failureMessage(requestMessages.accountsUnavailable().text)], { cause });
  }
}

/** An object is changed once in a write; nobody could tell which of two changes should count. */
function refuseRepeated(preparations: readonly Preparation[]): Preparation[] {
  const seen = new Set<string>();
  return preparations.map((preparation) => {
    if (!preparation.ok || hasAutoKey(preparation.prepared.type, preparation.prepared.key.folded)) {
      return preparation;
    }
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
  const { shared } = writeLocks(preparations.flatMap((preparation) => (preparation.ok ? [preparation.prepared] : [])));
  return new Set(shared).size <= limit
    ? preparations
    : preparations.map((one) => (one.ok ? refused([messages.tooManyReferences()], submittedOf(one.prepared)) : one));
}

async function certificateOf(prepared: Prepared, now: Date): Promise<CertificateReading | undefined> {
  return prepared.type === 'key-cert' && prepared.verb !== 'delete' ? readCertificate(prepared.object, now) : undefined;
}
