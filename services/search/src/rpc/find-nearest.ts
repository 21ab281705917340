import type { EnclosingAnswer } from '@cadastre/proto/objects';
import type { FindNearestResponse, SearchServiceService } from '@cadastre/proto/search';
import { queryMessages } from '@cadastre/query';
import { isObjectTypeName, parseResource } from '@cadastre/rpsl';
import { type Handlers, ServiceError } from '@cadastre/service';
import type { Context } from '../context.js';
import { resourceRange } from '../ranges.js';
import { found } from '../run/found.js';
import { unfilteredObject } from './found-objects.js';

const maxResources = 100;

const notAnswered: FindNearestResponse = { answered: false, answers: [], objects: [] };

/** Finds the nearest objects around resources, if the index of this process is as new as the request demands. */
export function findNearest(context: Context): Handlers<typeof SearchServiceService>['findNearest'] {
  const { index, sources, isCurrent, turns } = context;
  return async ({ resources, types, minSerial }, call) => {
    if (resources.length > maxResources) {
      throw new ServiceError('invalid', `At most ${maxResources} resources in one call`);
    }
    const requested = types.map((type) => {
      if (!isObjectTypeName(type)) throw new ServiceError('invalid', [queryMessages.unknownType(type)]);
      return type;
    });
    const ranges = resources.map((resource) => {
      const parsed = parseResource(resource);
      return parsed && resourceRange(parsed);
    });
    return turns.of(call.caller, call.signal).read(async () => {
      if (!(await isCurrent(minSerial))) return notAnswered;
      const valid = ranges.filter((range) => range !== undefined);
      const nearest = await index.nearest?.(sources.main, requested, valid);
      if (nearest === undefined) return notAnswered;
      let next = 0;
      const answers = ranges.map((range): EnclosingAnswer => {
        if (range === undefined) return { objects: [], positions: [], invalid: true };
        const { positions, holding } = nearest.answers[next++]!;
        return { objects: [], positions: [...positions], invalid: false, holding };
      });
      return { answered: true, answers, objects: nearest.objects.map((one) => unfilteredObject(found(one, false)!)) };
    });
  };
}
