import { Severity } from '@cadastre/proto/registry';
import type { Annotations, SearchRequest, SearchResponse, SearchServiceService } from '@cadastre/proto/search';
import { type Call, failureMessage, type Handlers, ServiceError } from '@cadastre/service';
import type { Context } from '../context.js';
import { parseQuery } from '../query/parse-query.js';
import type { QueryPlan } from '../query/plan.js';
import { queryMessages } from '../query/query-messages.js';
import { runQuery } from '../run/run-query.js';
import { inWindow } from '../run/window.js';
import { builtSources } from './built-sources.js';
import { foundObjects } from './found-objects.js';
import { unlessAway } from './unless-away.js';

const noAnnotations: Annotations = {
  managedAttributes: false,
  resourceHolder: false,
  abuseContact: false,
  roaCheck: false,
};

/** Runs a query and streams its result in pages of at most 100 objects, as fast as they are taken. */
export function search(context: Context): Handlers<typeof SearchServiceService>['search'] {
  return async function* (request, call) {
    const parsed = parseQuery(request, context.sources);
    if (!parsed.ok) throw new ServiceError('invalid', parsed.messages);
    const plan = parsed.value;
    const first = plan.sources[0]!;
    if (request.minSerial > 0n) await context.indexer.reached(first, request.minSerial, call.signal);
    const { built, serial, warnings } = await builtSources(context.index, plan.sources);
    const head = { flags: [...plan.flags], messages: warnings, serial };
    yield* answer(context, { ...plan, sources: built }, request, head, call);
  };
}

type Head = Omit<SearchResponse, 'objects'>;

const noHead: Head = { flags: [], messages: [], serial: 0n };

/** Nothing is sent before the first object is known: until then the call can still fail as a whole. */
async function* answer(
  context: Context,
  plan: QueryPlan,
  request: SearchRequest,
  firstHead: Head,
  call: Call,
): AsyncGenerator<SearchResponse> {
  const { annotators, late } = annotatorsOf(context, call);
  const wanted = request.annotations ?? noAnnotations;
  const { offset, limit } = request;
  const pages = inWindow(runQuery(context.index, plan, call.signal), {
    offset,
    ...(limit === undefined ? {} : { limit }),
  });
  let head: Head | undefined;
  for await (const page of pages) {
    head ??= firstHead;
    if (page.length === 0) continue;
    const objects = await foundObjects(page, plan.unfiltered, wanted, annotators, call);
    yield { ...head, messages: [...head.messages, ...late.splice(0)], objects };
    head = noHead;
  }
  if (head === undefined) throw new ServiceError('not-found', [queryMessages.noEntries(plan.sources)]);
  if (head === firstHead) yield { ...head, objects: [] };
}

/** The annotators of one call; what goes wrong with them is said once, in `late`, and the result goes on. */
function annotatorsOf({ annotators }: Context, call: Call) {
  const late: Head['messages'] = [];
  const describeHolders = unlessAway(annotators.describeHolders, (error) => {
    call.logger.warn({ err: error }, 'no annotations of holders');
    late.push(
      failureMessage(
        'Resource holders and abuse contacts are not available at the moment.',
        [],
        Severity.SEVERITY_WARNING,
      ),
    );
  });
  return { annotators: { ...annotators, describeHolders }, late };
}
