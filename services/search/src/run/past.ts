import {
  EnclosingScope,
  type HierarchyServiceService,
  LookupStatus,
  type Moment,
  type ObjectReaderServiceService,
  type PastPlace,
} from '@cadastre/proto/objects';
import { type RegistryObject, View } from '@cadastre/proto/registry';
import { type Mode, queryMessages, type Range } from '@cadastre/query';
import { foldKey, formatRange, type ObjectTypeName, parseObject } from '@cadastre/rpsl';
import { type Call, type RpcClient, ServiceError, startingWith } from '@cadastre/service';
import {
  type IndexedObject,
  type IndexReads,
  type Loaded,
  maximalPage,
  type ObjectId,
  type QueryPosition,
  type SearchIndex,
  type TypeQuery,
} from '../index-port.js';
import { noRelated, type QueryPlan } from '../query/plan.js';
import { occupiedRange } from '../ranges.js';

/** The methods of the objects service, which has the past. */
export type ReadPast = Pick<RpcClient<typeof HierarchyServiceService>, 'batchFindEnclosing'> &
  Pick<RpcClient<typeof ObjectReaderServiceService>, 'findPast' | 'batchLookupPast'>;

type RangeQuery = Extract<TypeQuery, { kind: 'range' | 'covering' }>;
type InsideQuery = Extract<RangeQuery, { kind: 'range' }>;
type TermsQuery = Extract<TypeQuery, { kind: 'terms' }>;

const scopes: { readonly [mode in Mode]?: EnclosingScope } = {
  default: EnclosingScope.ENCLOSING_SCOPE_NEAREST,
  exact: EnclosingScope.ENCLOSING_SCOPE_EXACT,
  'one-less': EnclosingScope.ENCLOSING_SCOPE_PARENT,
  'all-less': EnclosingScope.ENCLOSING_SCOPE_ALL,
};

/**
 * The plan of a search in the past: without related objects, because versions have none. Errors: ServiceError 'invalid'
 * for what the past cannot answer: inverse searches, names and other values, tags, the rules of types (versions are not
 * complete), and a serial of several sources.
 */
export function pastPlan(plan: QueryPlan, asOf: Moment): QueryPlan {
  const { search, sources, unfiltered, syntax, includeTags, excludeTags } = plan;
  // Each source has its own serials.
  const isAmbiguous = sources.length > 1 && asOf.point?.$case === 'serial';
  if (isAmbiguous || unfiltered || syntax !== undefined || includeTags.length + excludeTags.length > 0) {
    throw new ServiceError('invalid', [queryMessages.notInThePast()]);
  }
  if (search.kind === 'inverse') throw new ServiceError('invalid', [queryMessages.notInverseInThePast()]);
  if (!search.queries.every(isPastQuery)) throw new ServiceError('invalid', [queryMessages.notInThePast()]);
  return { ...plan, related: noRelated };
}

function isPastQuery(query: TypeQuery): boolean {
  return query.kind === 'covering' || query.kind === 'range' || (query.kind === 'terms' && keyIn(query) !== undefined);
}

/** The folded key that a query searches, if it searches nothing else. */
function keyIn({ anyOf, hosts }: TermsQuery): string | undefined {
  const [terms, ...others] = anyOf;
  const isOne = others.length === 0 && terms?.length === 1 && hosts === undefined;
  return isOne && terms[0]!.startsWith('key=') ? terms[0]!.slice('key='.length) : undefined;
}

/** The objects service as an index of a moment, for the queries of a `pastPlan`. */
export function pastIndex(
  read: ReadPast,
  { asOf, client }: { readonly asOf: Moment; readonly client: string },
  call: Pick<Call, 'signal' | 'deadline' | 'requestId'>,
): IndexReads & Pick<SearchIndex, 'position'> {
  const options = { signal: call.signal, deadline: call.deadline, requestId: call.requestId };
  /** The serials of the moment in the sources, as soon as they are known. */
  const serials = new Map<string, bigint>();
  const momentOf = (source: string): Moment => {
    const serial = serials.get(source);
    return serial === undefined ? asOf : { point: { $case: 'serial', value: serial } };
  };

  const lookUp = async (ids: readonly ObjectId[]) => {
    const lookups = ids.map(({ source, type, key }) => ({
      key: { source, type, key },
      moment: momentOf(source),
      nearest: false,
    }));
    const { answers } = await read.batchLookupPast({ lookups, client }, options);
    for (const [at, { status, serial }] of answers.entries()) {
      const { source } = ids[at]!;
      if (status === LookupStatus.LOOKUP_STATUS_FORGOTTEN)
        throw new ServiceError('out-of-range', forgottenText(source));
      if (status === LookupStatus.LOOKUP_STATUS_AHEAD) throw new ServiceError('invalid', 'The moment is in the future');
      if (datedStatuses.has(status)) serials.set(source, serial);
    }
    return answers;
  };

  const load = async (ids: readonly ObjectId[]): Promise<Loaded> => {
    const answers = ids.length === 0 ? [] : await lookUp(ids);
    return {
      objects: answers.flatMap(({ object }) => (object ? [indexedObject(object)] : [])),
      later: ids.filter((_, at) => answers[at]!.status === LookupStatus.LOOKUP_STATUS_ASK_AGAIN),
    };
  };

  const known = async (ids: readonly ObjectId[]): Promise<boolean[]> =>
    ids.length === 0 ? [] : (await lookUp(ids)).map(({ status }) => existingStatuses.has(status));

  async function* enclosing(source: string, query: RangeQuery): Pages {
    const answer = await read.batchFindEnclosing(
      {
        source,
        resources: [textOf(query.range)],
        types: [query.type],
        scope: query.kind === 'covering' ? EnclosingScope.ENCLOSING_SCOPE_NEAREST : scopes[query.mode]!,
        view: View.VIEW_FILTERED,
        shareObjects: true,
        asOf: momentOf(source),
      },
      options,
    );
    serials.set(source, answer.serial!);
    yield* pagesOf(inOrder(query, answer.objects.map(indexedObject)));
  }

  async function* inside(source: string, { type, range, mode, from: start }: InsideQuery): Pages {
    const contained = { resource: textOf(range), firstLevel: mode === 'one-more' };
    for (let from = start && pastPlace(type, start), isFirst = true; from !== undefined || isFirst; isFirst = false) {
      const request = { source, types: [type], contained, from, asOf: momentOf(source), client };
      const page = await read.findPast(request, options);
      serials.set(source, page.serial);
      yield* pagesOf(page.objects.map(indexedObject));
      from = page.next;
    }
  }

  async function* all(source: string, queries: readonly TypeQuery[]): Pages {
    for (const query of queries) {
      if (query.kind === 'terms') yield (await load([{ source, type: query.type, key: keyIn(query)! }])).objects;
      else if (query.kind === 'range' && scopes[query.mode] === undefined)
        yield* ofOrigin(query, inside(source, query));
      else if (query.kind !== 'hosts') yield* enclosing(source, query);
    }
  }

  return {
    async query(source, queries) {
      const pages = all(source, queries);
      // The first answer has the serial.
      const first = await pages.next();
      return { serial: serials.get(source) ?? 0n, pages: first.done ? pages : startingWith(first.value, pages) };
    },
    load,
    known,
    nearestWith: async (_source, _type, _attribute, ranges) => ranges.map(() => undefined),
    position: async () => ({ serial: 0n, reached: new Date(0) }),
  };
}

type Pages = AsyncGenerator<readonly IndexedObject[]>;

/** The answers that contain the serial of the moment. */
const datedStatuses: ReadonlySet<LookupStatus> = new Set([
  LookupStatus.LOOKUP_STATUS_FOUND,
  LookupStatus.LOOKUP_STATUS_NOT_FOUND,
  LookupStatus.LOOKUP_STATUS_DELETED,
  LookupStatus.LOOKUP_STATUS_ERASED,
]);

/** An erased object existed, and so did one that does not fit into the answer. */
const existingStatuses: ReadonlySet<LookupStatus> = new Set([
  LookupStatus.LOOKUP_STATUS_FOUND,
  LookupStatus.LOOKUP_STATUS_ERASED,
  LookupStatus.LOOKUP_STATUS_ASK_AGAIN,
]);

const forgottenText = (source: string) => `The registry has forgotten this moment of ${source}`;

function pastPlace(type: ObjectTypeName, { key, range }: QueryPosition): PastPlace {
  const [first, last] = range ? [String(range.first), String(range.last)] : ['', ''];
  return { type, key, first, last, continued: false };
}

function textOf({ space, first, last }: Range): string {
  if (space === 'as') return `AS${first} - AS${last}`;
  return formatRange({ family: space === 'ipv4' ? 4 : 6, first, last });
}

/** Throws a ServiceError 'exhausted' for an object whose text did not fit. */
function indexedObject({ source, type, key, text, revision, serial, created, lastModified }: RegistryObject) {
  if (text === '') throw new ServiceError('exhausted', [queryMessages.tooLargeForThePast()]);
  const known = type as ObjectTypeName;
  const modified = lastModified ?? new Date(0);
  return { source, type: known, key: foldKey(known, key), text, revision, serial, created, modified, tags: [] };
}

/** The enclosing objects that a query selects, in its order. */
function inOrder(query: RangeQuery, objects: readonly IndexedObject[]): readonly IndexedObject[] {
  if (query.kind === 'covering') return objects.slice(0, 1);
  const wanted = withOrigin(query, objects);
  if (query.mode !== 'all-less') return wanted;
  return wanted
    .map((object) => ({ object, size: sizeOf(object) }))
    .sort((a, b) => Number(b.size - a.size) || (a.object.key < b.object.key ? -1 : 1))
    .map(({ object }) => object);
}

function withOrigin(query: RangeQuery, objects: readonly IndexedObject[]): readonly IndexedObject[] {
  const origin = query.kind === 'range' ? query.origin : undefined;
  return origin === undefined ? objects : objects.filter(({ key }) => key.endsWith(origin));
}

async function* ofOrigin(query: RangeQuery, pages: Pages): Pages {
  for await (const page of pages) yield withOrigin(query, page);
}

function sizeOf({ text }: IndexedObject): bigint {
  const parsed = parseObject(text);
  const range = parsed.ok ? occupiedRange(parsed.object) : undefined;
  return range ? range.last - range.first : 0n;
}

/** Pages in the form of an index; an empty one for no objects, so that other searches get their turns. */
async function* pagesOf(objects: readonly IndexedObject[]): Pages {
  for (let at = 0; at === 0 || at < objects.length; at += maximalPage) yield objects.slice(at, at + maximalPage);
}
