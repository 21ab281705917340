import { BelowLevel, type SearchServiceService } from '@cadastre/proto/search';
import { queryMessages } from '@cadastre/query';
import { isObjectTypeName, parseResource } from '@cadastre/rpsl';
import { failureMessage, type Handlers, ServiceError } from '@cadastre/service';
import type { Context } from '../context.js';
import type { FoundSpans, InsideQuery } from '../index-port.js';
import { resourceRange } from '../ranges.js';
import { bottomOf } from '../run/bottom-spans.js';
import { indexMissing, requireSource } from './sources.js';

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
    const turns = context.turns.of(client || call.caller, call.signal);
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
