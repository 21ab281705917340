import { BelowLevel, type SearchServiceService } from '@cadastre/proto/search';
import { queryMessages } from '@cadastre/query';
import { isObjectTypeName, parseResource } from '@cadastre/rpsl';
import { failureMessage, type Handlers, ServiceError } from '@cadastre/service';
import type { Context } from '../context.js';
import type { FoundSpans, InsideQuery, Spanned } from '../index-port.js';
import { resourceRange } from '../ranges.js';
import { indexMissing, requireSource } from './sources.js';
import { turnsOf } from './turns.js';

const maxKeys = 100;
/** Larger results are refused. */
const maxObjects = 10_000;
/** A tree with more ranges has more in its bottom, except for ranges that contain a single smaller one. */
const maxRanges = 2 * maxObjects;

/** Lists the objects below a range, from the index of one source. */
export function listBelow(context: Context): Handlers<typeof SearchServiceService>['listBelow'] {
  return async ({ source, resource, type, level, limit, client }, call) => {
    const { store } = requireSource(context, source);
    if (!isObjectTypeName(type)) throw new ServiceError('invalid', [queryMessages.unknownType(type)]);
    const parsed = parseResource(resource);
    if (parsed === undefined) {
      throw new ServiceError('invalid', [failureMessage('"%s" is not an address range or AS range', [resource])]);
    }
    const firstLevel = level !== BelowLevel.BELOW_LEVEL_BOTTOM;
    const max = (firstLevel ? maxObjects : maxRanges) + 1;
    const query: InsideQuery = { type, range: resourceRange(parsed), firstLevel, max };
    const turns = turnsOf(context, { client }, call);
    const found = await turns.read(() => context.index.spansInside(store, query, call.signal));
    if (found === undefined) throw indexMissing();
    const objects = wanted(found, query);
    const tooMany = objects === undefined || objects.length > maxObjects;
    return {
      keys: tooMany ? [] : objects.slice(0, Math.min(limit, maxKeys)).map(({ key }) => key),
      objects: tooMany ? maxObjects : objects.length,
      tooMany,
      serial: found.serial,
      processingMs: turns.takeSpentMs(),
    };
  };
}

/** Undefined when not all ranges were read. */
function wanted({ spans }: FoundSpans, { firstLevel, max }: InsideQuery) {
  if (spans.length === max) return undefined;
  return firstLevel ? spans : bottomOf(spans);
}

/** A range, while the ranges inside it are read. */
interface Open {
  /** The objects with this range: one, unless several zones have the same addresses. */
  readonly spans: [Spanned, ...Spanned[]];
  /** Last number of the most recently read range directly inside it. */
  childrenEnd?: bigint;
  /** Whether the first of these begins where it begins. */
  childrenBegin: boolean;
  /** Whether one of these belongs to the bottom. */
  hasBottom: boolean;
}

/**
 * The bottom of a tree: ranges without others inside, and the ranges around each of these, unless what lies directly
 * inside them reaches both of their ends. Pass all ranges in address order, larger ones first, equal, nested or
 * disjoint; returns them in the same order.
 */
export function bottomOf(spans: readonly Spanned[]): Spanned[] {
  const bottom = new Set<Spanned>();
  const open: Open[] = [];
  const close = () => {
    const { spans, childrenEnd, childrenBegin, hasBottom } = open.pop()!;
    const isReached = childrenBegin && childrenEnd === spans[0].last;
    if (childrenEnd !== undefined && (!hasBottom || isReached)) return;
    for (const span of spans) bottom.add(span);
    const parent = open.at(-1);
    if (parent) parent.hasBottom = true;
  };
  for (const span of spans) {
    while (open.length > 0 && open.at(-1)!.spans[0].last < span.first) close();
    const parent = open.at(-1);
    if (parent && isSameRange(parent.spans[0], span)) {
      parent.spans.push(span);
      continue;
    }
    if (parent) {
      if (parent.childrenEnd === undefined) parent.childrenBegin = span.first === parent.spans[0].first;
      parent.childrenEnd = span.last;
    }
    open.push({ spans: [span], childrenBegin: false, hasBottom: false });
  }
  while (open.length > 0) close();
  return spans.filter((span) => bottom.has(span));
}

function isSameRange(one: Spanned, other: Spanned): boolean {
  return one.first === other.first && one.last === other.last;
}
