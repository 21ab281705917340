import { type WriteOptions, WriteOutcome, type WriteResult } from '@cadastre/proto/objects';
import { parseObject, type RpslObject } from '@cadastre/rpsl';
import type { Call } from '@cadastre/service';
import type { Context } from '../context.js';
import { requestMessages } from '../domain/request-messages.js';
import type { Submission } from '../domain/submission.js';
import type { Source } from '../store/sources.js';
import { write } from '../write/write.js';
import { withAccountNames } from './account-names.js';
import { resolveContacts } from './contacts.js';
import { wireMessage } from './convert-message.js';
import { principalOf } from './convert-principal.js';
import { writeResult } from './convert-result.js';

/** What writes are done with: a part of the service's context. */
export type WriteContext = Pick<Context, 'sources' | 'writePool' | 'accounts' | 'delegations' | 'policy' | 'clock'>;

/** Writes to the source that the caller names; only the registry's own source is written to. One result per change. */
export async function writeTo(
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
    dryRun: options?.dryRun ?? false,
  });
  const results = replies.map((reply) => writeResult(source, reply));
  return withNamedAccounts(context, await withContacts(context, source, results), call);
}

/** Tells of the contacts that the shown objects name whether they are persons or roles, as lookups do. */
async function withContacts(
  { writePool }: WriteContext,
  source: Source,
  results: readonly WriteResult[],
): Promise<WriteResult[]> {
  const named = results.map(({ object }) => {
    const parsed = object && parseObject(object.text);
    return { sourceId: source.id, object: parsed?.ok ? parsed.object : nothing };
  });
  const contacts = await resolveContacts(writePool, named);
  return results.map((result, index) =>
    result.object ? { ...result, object: { ...result.object, contacts: contacts[index]! } } : result,
  );
}

/** Who writes an object may see its accounts by name; a refused write shows what was sent. */
async function withNamedAccounts(
  { accounts }: WriteContext,
  results: readonly WriteResult[],
  call: Call,
): Promise<WriteResult[]> {
  const shown = results.flatMap(({ object }) => (object ? [object] : []));
  const named = (await withAccountNames(accounts, shown, call)).values();
  return results.map((result) => (result.object ? { ...result, object: named.next().value } : result));
}

/** Names no contacts. */
const nothing: Pick<RpslObject, 'attributes'> = { attributes: [] };

function writeTools(context: WriteContext, call: Call) {
  return {
    pool: context.writePool,
    delegations: context.delegations,
    policy: context.policy,
    clock: context.clock,
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
