import { type Message, Severity } from '@cadastre/proto/registry';
import { type Annotations, InvalidRoutes, type SearchRequest, type SearchResponse } from '@cadastre/proto/search';
import { queryMessages } from '@cadastre/query';
import type { RouteView } from '@cadastre/roa';
import { type Call, type ClientTurns, failureMessage, ServiceError } from '@cadastre/service';
import type { DescribeHolders } from '../annotations/holders.js';
import { holdersInIndex } from '../annotations/holders-in-index.js';
import type { Context } from '../context.js';
import { type IndexReads, maxFiltered, maximalPage } from '../index-port.js';
import { parseQuery } from '../query/parse-query.js';
import type { QueryPlan } from '../query/plan.js';
import { type FilterOutcome, filteredReads } from '../run/filtered-reads.js';
import { pastIndex, pastPlan } from '../run/past.js';
import type { ResultPosition } from '../run/position.js';
import { type RouteRules, routeRules } from '../run/route-rules.js';
import { runQuery } from '../run/run-query.js';
import { LargeSearchError, searchReads, smallCharacters } from '../run/search-reads.js';
import { type Continuation, decodeCursor } from './cursor.js';
import { foundObjects } from './found-objects.js';
import { missingWarnings } from './sources.js';

export const noAnnotations: Annotations = {
  managedAttributes: false,
  resourceHolder: false,
  abuseContact: false,
  roaCheck: false,
};

/** A page of a result in the form of the contract. */
export interface SearchPage {
  readonly response: SearchResponse;
  /** Characters of the texts of its objects. */
  readonly characters: number;
  /** Where the result may continue; undefined after its last page, as far as that is known without a read. */
  rest(): Continuation | undefined;
  /** Where another search must start to find what follows the requested part, if anything does. */
  next(): ResultPosition | undefined;
}

/**
 * Runs a query, from its start or from its cursor. Its result comes in pages, at the pace of the reader. The first one
 * waits until there is an object: before that the search can fail as a whole. The reads take the given turns. A `large`
 * search needs a slot for its pages, from the first read until they are released. One that is to be `small` ends with
 * 'large' instead of its other pages when it reads more than that.
 */
export async function searchPages(
  context: Context,
  request: SearchRequest,
  call: Call,
  turns: ClientTurns,
  size: 'small' | 'large' = 'large',
): Promise<AsyncIterable<SearchPage | 'large'>> {
  const parsed = parseQuery(request, context.sources);
  if (!parsed.ok) throw new ServiceError('invalid', parsed.messages);
  const { leavesOut, marks } = routeRules(
    context,
    views[request.invalidRoutes ?? InvalidRoutes.INVALID_ROUTES_UNSPECIFIED] ?? 'objects',
  );
  const present = { ...parsed.value, leavesOut };
  const plan = request.asOf ? pastPlan(present, request.asOf) : present;
  const from = decodeCursor(request.cursor, plan.sources.length);
  const start = decodeCursor(request.start ?? nothing, plan.sources.length)?.after;
  const first = plan.sources[0]!.store;
  if (request.minSerial > 0n && from === undefined && request.asOf === undefined) {
    await context.indexer.reached(first, request.minSerial, call.signal);
  }
  return turns.present(answer(context, turns, plan, { ...request, marks }, { from, start }, call, size));
}

const views: Readonly<Partial<Record<InvalidRoutes, RouteView>>> = {
  [InvalidRoutes.INVALID_ROUTES_LISTED]: 'list',
  [InvalidRoutes.INVALID_ROUTES_SHOWN]: 'everything',
};

const nothing = new Uint8Array();

/** Where a search begins. */
interface Beginning {
  /** The end of the part that was sent already. */
  readonly from: Continuation | undefined;
  /** The position from which offset and limit count. */
  readonly start: ResultPosition | undefined;
}

/** A request, and which of its objects get a mark without being asked for. */
type MarkedRequest = SearchRequest & Pick<RouteRules, 'marks'>;

type Head = Omit<SearchResponse, 'objects' | 'contacts'>;

const noHead: Head = { flags: [], messages: [], serial: 0n };

async function* answer(
  context: Context,
  turns: ClientTurns,
  plan: QueryPlan,
  { annotations = noAnnotations, offset, limit, brief = false, asOf, client, marks }: MarkedRequest,
  { from, start }: Beginning,
  call: Call,
  size: 'small' | 'large',
): AsyncGenerator<SearchPage | 'large'> {
  const past = asOf && pastIndex(context.readPast, { asOf, client }, call);
  const filtered = plan.filter && filteredReads(context.index, plan.filter, limit);
  const index = searchReads(filtered ?? past ?? context.index, turns, size === 'small' ? smallCharacters : undefined);
  const { annotators, late } = annotatorsOf(context, index, call, past ? undefined : turns);
  const { position } = past ?? context.index;
  try {
    const { serial, missing, pages } = await runQuery({ ...index, position }, plan, call.signal, from?.after ?? start);
    const presentation = { unfiltered: plan.unfiltered, annotations, brief, marks };
    const iterator = pages[Symbol.asyncIterator]();
    const end = offset + (limit ?? Number.POSITIVE_INFINITY);
    const outcome = filtered?.outcome();
    const followed = outcome?.last && { source: 0, primary: outcome.last };
    let head = from === undefined ? headOf(plan, missing, serial, asOf && serial, outcome) : noHead;
    let isFound = (from ?? start) !== undefined || (outcome !== undefined && outcome.compared > 0);
    try {
      for (let before = from?.seen ?? 0; before < end || !isFound; ) {
        const step = await iterator.next();
        if (step.done) break;
        isFound = true;
        const { objects, positionAfter } = step.value;
        const seen = before + objects.length;
        const count = Math.max(end - before, 0);
        const page = objects.slice(Math.max(offset - before, 0), count);
        before = seen;
        // After a full page that may be wrong: it would cost a read to know.
        const isFollowed =
          seen >= end && (count < objects.length || objects.length >= maximalPage || !(await iterator.next()).done);
        if (page.length === 0) continue;
        const found = await foundObjects(page, presentation, annotators, call);
        yield {
          response: { ...head, messages: [...head.messages, ...late.splice(0)], ...found },
          characters: charactersOf(found),
          rest() {
            const after = seen < end && !filtered ? positionAfter() : undefined;
            return after && { seen, after };
          },
          next: () => (isFollowed && !filtered ? positionAfter(count) : followed),
        };
        head = noHead;
      }
    } finally {
      await iterator.return?.();
    }
    if (!isFound) {
      const searched = plan.sources.filter((source) => !missing.includes(source));
      throw new ServiceError('not-found', [queryMessages.noEntries(searched.flatMap(({ names }) => names))]);
    }
    if (head !== noHead)
      yield { response: { ...head, objects: [] }, characters: 0, rest: nowhere, next: () => followed };
  } catch (thrown) {
    if (!(thrown instanceof LargeSearchError)) throw thrown;
    yield 'large';
  }
}

const nowhere = () => undefined;

function charactersOf({ objects }: Pick<SearchResponse, 'objects'>): number {
  let characters = 0;
  for (const { object } of objects) characters += object!.text.length;
  return characters;
}

function headOf(
  plan: QueryPlan,
  missing: QueryPlan['sources'],
  serial: bigint,
  asOfSerial: bigint | undefined,
  outcome: FilterOutcome | undefined,
): Head {
  const messages = [...missingWarnings(plan, missing), ...plan.warnings];
  if (outcome?.last && outcome.compared >= maxFiltered) messages.push(queryMessages.filterStopped(outcome.compared));
  return { flags: [...plan.flags], messages, serial, asOfSerial, ...(outcome && { compared: outcome.compared }) };
}

/**
 * The annotators of one call; a failure is reported once, in `late`, and the result continues. Without `turns`
 * holders and abuse contacts come from the objects service, as the objects do.
 */
export function annotatorsOf(context: Context, index: IndexReads, call: Call, turns?: ClientTurns) {
  const { annotators, registry } = context;
  const { readState } = context.index;
  const late: Message[] = [];
  const describe = untilFailure(annotators.describeHolders, (error) => {
    call.logger.warn({ err: error }, 'cannot annotate holders');
    late.push(
      failureMessage(
        'Resource holders and abuse contacts are not available at the moment.',
        [],
        Severity.SEVERITY_WARNING,
      ),
    );
  });
  // What decides about them is no part of the answer, and has a bound of its own.
  const describeHolders =
    registry.findLineages && readState && turns
      ? holdersInIndex(readState, turns, registry.policy, describe)
      : describe;
  return { annotators: { ...annotators, index, describeHolders }, late };
}

/** Stops calling after the first failure: further objects get no annotations. */
function untilFailure(describe: DescribeHolders, onFailure: (error: unknown) => void): DescribeHolders {
  let failed = false;
  return async (page, question, call) => {
    if (failed) return [];
    try {
      return await describe(page, question, call);
    } catch (error) {
      if (call.signal.aborted) throw error;
      failed = true;
      onFailure(error);
      return [];
    }
  };
}
