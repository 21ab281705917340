import {
  LookupStatus,
  type ObjectReaderServiceService,
  type PastLookup,
  type PastLookupAnswer,
} from '@cadastre/proto/objects';
import { type Call, duringCall, type Handlers, ServiceError } from '@cadastre/service';
import type { Context } from '../context.js';
import { firstState, loadPast, type PastQuestion, type PastState } from '../store/past.js';
import type { Source } from '../store/sources.js';
import type { Db } from '../store/stored-object.js';
import { maxLookups, maxTextBytes } from './batch-lookup.js';
import { isFuture, requestedMoment } from './moments.js';
import { versionUnlessUnreadable } from './registry-object.js';
import { requestedKey } from './requested.js';

interface Question extends PastQuestion {
  readonly source: Source;
  readonly nearest: boolean;
  readonly position: number;
}

export function batchLookupPast(context: Context): Handlers<typeof ObjectReaderServiceService>['batchLookupPast'] {
  return async ({ lookups, client }, call) => {
    if (lookups.length > maxLookups) throw new ServiceError('invalid', `At most ${maxLookups} keys in one call`);
    const db = duringCall(context.readPool, call);
    const { questions, answers } = understand(context, lookups);
    return context.turns.of(client || call.caller, call.signal).read(async () => {
      const loaded = await loadPast(db, questions, maxTextBytes);
      const states = await Promise.all(questions.map((question, at) => orFirst(db, question, loaded[at]!)));
      for (const [at, question] of questions.entries()) {
        answers[question.position] = await answerOf(context, question, states[at]!, call);
      }
      return { answers };
    });
  };
}

/** Reads the lookups. Returns the valid ones as questions, and an answer for each lookup: why it failed, or nothing. */
function understand(
  { sources, clock }: Context,
  lookups: readonly PastLookup[],
): { questions: Question[]; answers: PastLookupAnswer[] } {
  const questions: Question[] = [];
  const now = clock();
  const answers = lookups.map((lookup, position) => {
    const requested = requestedKey(sources, lookup.key);
    if (!requested.ok) return answer(requested.status);
    const { nearest } = lookup;
    const moment = requestedMoment(lookup.moment);
    if (isFuture(moment, now) && !nearest) return answer(LookupStatus.LOOKUP_STATUS_AHEAD);
    questions.push({ source: requested.source, id: requested.id, moment, nearest, position });
    return answer(LookupStatus.LOOKUP_STATUS_UNSPECIFIED);
  });
  return { questions, answers };
}

async function orFirst(db: Db, { id, nearest }: Question, state: PastState): Promise<PastState> {
  return nearest && (state.outcome === 'absent' || state.outcome === 'forgotten') ? firstState(db, id) : state;
}

async function answerOf(
  context: Context,
  { source }: Question,
  state: PastState,
  call: Call,
): Promise<PastLookupAnswer> {
  switch (state.outcome) {
    case 'found': {
      const object = await versionUnlessUnreadable(context, source, state.stored, call);
      if (object === undefined) return answer(LookupStatus.LOOKUP_STATUS_UNREADABLE);
      return { ...answer(LookupStatus.LOOKUP_STATUS_FOUND, state.asOf), object };
    }
    case 'deleted':
      return { ...answer(LookupStatus.LOOKUP_STATUS_DELETED, state.asOf), deleted: state.instant };
    case 'absent':
      return answer(LookupStatus.LOOKUP_STATUS_NOT_FOUND, state.asOf);
    case 'erased':
      return answer(LookupStatus.LOOKUP_STATUS_ERASED, state.asOf);
    case 'ahead':
      return answer(LookupStatus.LOOKUP_STATUS_AHEAD, state.newest);
    case 'forgotten':
      return answer(LookupStatus.LOOKUP_STATUS_FORGOTTEN);
    case 'later':
      return answer(LookupStatus.LOOKUP_STATUS_ASK_AGAIN);
  }
}

function answer(status: LookupStatus, serial = 0n): PastLookupAnswer {
  return { status, serial };
}
