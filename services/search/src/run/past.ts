import { EnclosingScope, type HierarchyServiceService, type Moment } from '@cadastre/proto/objects';
import { type RegistryObject, View } from '@cadastre/proto/registry';
import { foldKey, formatRange, type ObjectTypeName, parseObject } from '@cadastre/rpsl';
import { type Call, type RpcClient, ServiceError } from '@cadastre/service';
import {
  type IndexedObject,
  type IndexReads,
  type Mode,
  maximalPage,
  type Range,
  type SearchIndex,
  type TypeQuery,
} from '../index-port.js';
import type { QueryPlan } from '../query/plan.js';
import { queryMessages } from '../query/query-messages.js';
import { occupiedRange } from '../ranges.js';

/** Asks the objects service, which has the past. */
export type FindEnclosing = RpcClient<typeof HierarchyServiceService>['batchFindEnclosing'];

type RangeQuery = Extract<TypeQuery, { kind: 'range' | 'covering' }>;

const scopes: { readonly [mode in Mode]?: EnclosingScope } = {
  default: EnclosingScope.ENCLOSING_SCOPE_NEAREST,
  exact: EnclosingScope.ENCLOSING_SCOPE_EXACT,
  'one-less': EnclosingScope.ENCLOSING_SCOPE_PARENT,
  'all-less': EnclosingScope.ENCLOSING_SCOPE_ALL,
};

/**
 * The plan of a search in the past: without related objects, as versions have none. Errors: ServiceError 'invalid' for
 * what the past cannot answer: all but address space and what encloses it, and a serial of several sources.
 */
export function pastPlan(plan: QueryPlan, asOf: Moment): QueryPlan {
  const { search, sources, unfiltered, includeTags, excludeTags } = plan;
  // Each source has its own serials.
  const isAmbiguous = sources.length > 1 && asOf.point?.$case === 'serial';
  const isPossible = search.kind === 'direct' && search.queries.every(isPastQuery);
  if (!isPossible || isAmbiguous || unfiltered || includeTags.length + excludeTags.length > 0) {
    throw new ServiceError('invalid', [queryMessages.notInThePast()]);
  }
  return { ...plan, related: { contacts: false, organisations: false, irts: false } };
}

function isPastQuery(query: TypeQuery): query is RangeQuery {
  return query.kind === 'covering' || (query.kind === 'range' && scopes[query.mode] !== undefined);
}

/** The objects service as an index of a moment, for the queries of a `pastPlan`. */
export function pastIndex(
  findEnclosing: FindEnclosing,
  asOf: Moment,
  call: Pick<Call, 'signal' | 'deadline' | 'requestId'>,
): IndexReads & Pick<SearchIndex, 'position'> {
  const options = { signal: call.signal, deadline: call.deadline, requestId: call.requestId };
  const find = (source: string, query: RangeQuery, moment: Moment) =>
    findEnclosing(
      {
        source,
        resources: [textOf(query.range)],
        types: [query.type],
        scope: query.kind === 'covering' ? EnclosingScope.ENCLOSING_SCOPE_NEAREST : scopes[query.mode]!,
        view: View.VIEW_FILTERED,
        shareObjects: true,
        asOf: moment,
      },
      options,
    );
  return {
    async query(source, queries) {
      const found: IndexedObject[] = [];
      let serial: bigint | undefined;
      for (const query of queries.filter(isPastQuery)) {
        const moment: Moment = serial === undefined ? asOf : { point: { $case: 'serial', value: serial } };
        const answer = await find(source, query, moment);
        // An older service answers for the present.
        if (answer.serial === undefined) throw new ServiceError('unavailable', 'The past is not available yet');
        serial = answer.serial;
        found.push(...inOrder(query, answer.objects.map(indexedObject)));
      }
      return { serial: serial ?? 0n, pages: pagesOf(found) };
    },
    load: async () => ({ objects: [], later: [] }),
    known: async (ids) => ids.map(() => false),
    nearestWith: async (_source, _type, _attribute, ranges) => ranges.map(() => undefined),
    position: async () => ({ serial: 0n, reached: new Date(0) }),
  };
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

/** The objects that a query means, in its order. */
function inOrder(query: RangeQuery, objects: readonly IndexedObject[]): readonly IndexedObject[] {
  if (query.kind === 'covering') return objects.slice(0, 1);
  const { origin, mode } = query;
  const ofOrigin = origin === undefined ? objects : objects.filter(({ key }) => key.endsWith(origin));
  if (mode !== 'all-less') return ofOrigin;
  return ofOrigin
    .map((object) => ({ object, size: sizeOf(object) }))
    .sort((a, b) => Number(b.size - a.size) || (a.object.key < b.object.key ? -1 : 1))
    .map(({ object }) => object);
}

function sizeOf({ text }: IndexedObject): bigint {
  const parsed = parseObject(text);
  const range = parsed.ok ? occupiedRange(parsed.object) : undefined;
  return range ? range.last - range.first : 0n;
}

async function* pagesOf(objects: readonly IndexedObject[]): AsyncGenerator<readonly IndexedObject[]> {
  for (let at = 0; at < objects.length; at += maximalPage) yield objects.slice(at, at + maximalPage);
}
