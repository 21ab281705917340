import { type WriteOptions, WriteOutcome, type WriteResult } from '@cadastre/proto/objects';
import type { Call } from '@cadastre/service';
import type { Context } from '../context.js';
import { defaultPolicy, type Policy } from '../domain/policy.js';
import { requestMessages } from '../domain/request-messages.js';
import type { Submission } from '../domain/submission.js';
import { write } from '../write/write.js';
import { wireMessage } from './convert-message.js';
import { writeResult } from './convert-result.js';

/** What writes are done with: a part of the service's context, and the registry's policy if it has one of its own. */
export type WriteContext = Pick<Context, 'sources' | 'writePool' | 'accounts' | 'clock'> & { readonly policy?: Policy };

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
    principal: options?.principal,
    dryRun: options?.dryRun ?? false,
  });
  return replies.map((reply) => writeResult(source, reply));
}

function writeTools(context: WriteContext, call: Call) {
  return {
    pool: context.writePool,
    policy: context.policy ?? defaultPolicy,
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
