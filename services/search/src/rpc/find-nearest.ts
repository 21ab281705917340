import type { EnclosingAnswer } from '@cadastre/proto/objects';
import type { FindNearestResponse, SearchServiceService } from '@cadastre/proto/search';
import { queryMessages } from '@cadastre/query';
import { isObjectTypeName, parseResource } from '@cadastre/rpsl';
import { type Handlers, ServiceError } from '@cadastre/service';
import type { Context } from '../context.js';
import { resourceRange } from '../ranges.js';
import { currentIndex } from '../resources/current-index.js';
import { found } from '../run/found.js';
import { briefObject } from './found-objects.js';

const maxResources = 100;

const notAnswered: FindNearestResponse = { answered: false, answers: [], objects: [] };

/** Finds the nearest objects around resources, if the index of this process is as new as the request demands. */
export function findNearest(context: Context): Handlers<typeof SearchServiceService>['findNearest'] {
  const { index, indexer, sources, turns } = context;
  const isCurrent = currentIndex(index, indexer.isFollowing, sources.main);
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
      if (index.nearest === undefined || !(await isCurrent(minSerial))) return notAnswered;
      const valid = ranges.filter((range) => range !== undefined);
      const nearest = await index.nearest(sources.main, requested, valid);
      if (nearest === undefined) return notAnswered;
      const answerOf = new Map(valid.map((range, at) => [range, nearest.answers[at]!]));
      const answers = ranges.map((range): EnclosingAnswer => {
        const answer = range && answerOf.get(range);
        if (answer === undefined) return { objects: [], positions: [], invalid: true };
        return { objects: [], positions: [...answer.positions], invalid: false, holding: answer.holding };
      });
      return { answered: true, answers, objects: nearest.objects.map((one) => briefObject(found(one)!, true)) };
    });
  };
}
