import { Severity } from '@cadastre/proto/registry';
import type { Annotations, SearchRequest, SearchResponse, SearchServiceService } from '@cadastre/proto/search';
import { type Call, failureMessage, type Handlers, ServiceError } from '@cadastre/service';
import type { Context } from '../context.js';
import type { IndexReads } from '../index-port.js';
import { parseQuery } from '../query/parse-query.js';
import type { QueryPlan } from '../query/plan.js';
import { queryMessages } from '../query/query-messages.js';
import type { Found } from '../run/found.js';
import { readOnce } from '../run/read-once.js';
import { runQuery } from '../run/run-query.js';
import { inTurns, type SearchTurns } from '../run/turns.js';
import { inWindow } from '../run/window.js';
import { foundObjects } from './found-objects.js';
import { missingWarnings } from './missing-sources.js';
import { untilFailure } from './until-failure.js';

/** Maximum number of characters of objects in one message, far below the limit of a message. */
const maxCharacters = 1024 * 1024;

const noAnnotations: Annotations = {
  managedAttributes: false,
  resourceHolder: false,
  abuseContact: false,
  roaCheck: false,
};

/** Runs a query and streams its result in pages of at most 100 objects and 1 MiB, at the pace of the reader. */
export function search(context: Context): Handlers<typeof SearchServiceService>['search'] {
  return async function* (request, call) {
    const parsed = parseQuery(request, context.sources);
    if (!parsed.ok) throw new ServiceError('invalid', parsed.messages);
    const plan = parsed.value;
    const first = plan.sources[0]!.store;
    if (request.minSerial > 0n) await context.indexer.reached(first, request.minSerial, call.signal);
    const turns = context.turns.of(request.client || call.caller, call.signal);
    yield* turns.present(answer(context, turns, plan, request, call));
  };
}

type Head = Omit<SearchResponse, 'objects'>;

const noHead: Head = { flags: [], messages: [], serial: 0n };

/** Sends nothing before it knows the first object: until then the call can still fail as a whole. */
async function* answer(
  context: Context,
  turns: SearchTurns,
  plan: QueryPlan,
  request: SearchRequest,
  call: Call,
): AsyncGenerator<SearchResponse> {
  const index = readOnce(inTurns(context.index, turns));
  const { annotators, late } = annotatorsOf(context, index, call);
  const wanted = request.annotations ?? noAnnotations;
  const { offset, limit } = request;
  const { position } = context.index;
  const { serial, missing, pages } = await runQuery({ ...index, position }, plan, call.signal);
  const firstHead = { flags: [...plan.flags], messages: [...missingWarnings(plan, missing), ...plan.warnings], serial };
  let head: Head | undefined;
  for await (const page of inWindow(pages, { offset, ...(limit === undefined ? {} : { limit }) })) {
    head ??= firstHead;
    if (page.length === 0) continue;
    for (const part of inMessages(page)) {
      const objects = await foundObjects(part, plan.unfiltered, wanted, annotators, call);
      yield { ...head, messages: [...head.messages, ...late.splice(0)], objects };
      head = noHead;
    }
  }
  if (head === undefined) {
    const searched = plan.sources.filter((source) => !missing.includes(source));
    throw new ServiceError('not-found', [queryMessages.noEntries(searched.flatMap(({ names }) => names))]);
  }
  if (head === firstHead) yield { ...head, objects: [] };
}

/** Splits a page into parts that fit into a message, however large the objects are. */
function* inMessages(page: readonly Found[]): Generator<Found[]> {
  let part: Found[] = [];
  let characters = 0;
  for (const one of page) {
    const { length } = one.stored.text;
    if (part.length > 0 && characters + length > maxCharacters) {
      yield part;
      part = [];
      characters = 0;
    }
    part.push(one);
    characters += length;
  }
  yield part;
}

/** The annotators of one call; a failure is reported once, in `late`, and the result continues. */
function annotatorsOf({ annotators }: Context, index: IndexReads, call: Call) {
  const late: Head['messages'] = [];
  const describeHolders = untilFailure(annotators.describeHolders, (error) => {
    call.logger.warn({ err: error }, 'cannot annotate holders');
    late.push(
      failureMessage(
        'Resource holders and abuse contacts are not available at the moment.',
        [],
        Severity.SEVERITY_WARNING,
      ),
    );
  });
  return { annotators: { ...annotators, index, describeHolders }, late };
}
