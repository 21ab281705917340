import type { FindByKeysResponse, SearchServiceService } from '@cadastre/proto/search';
import { queryMessages } from '@cadastre/query';
import { foldKey, isObjectTypeName } from '@cadastre/rpsl';
import { type Handlers, ServiceError } from '@cadastre/service';
import type { Context } from '../context.js';
import { currentIndex } from '../resources/current-index.js';
import { found } from '../run/found.js';
import { briefObject } from './found-objects.js';

const maxKeys = 100;

const notAnswered: FindByKeysResponse = { answered: false, objects: [] };

/** Reads objects by their keys, if the index of this process is as new as the request demands. */
export function findByKeys(context: Context): Handlers<typeof SearchServiceService>['findByKeys'] {
  const { index, indexer, sources, turns } = context;
  const isCurrent = currentIndex(index, indexer.isFollowing, sources.main);
  return async ({ keys, minSerial }, call) => {
    if (keys.length > maxKeys) throw new ServiceError('invalid', `At most ${maxKeys} keys in one call`);
    const ids = keys.map(({ type, key }) => {
      if (!isObjectTypeName(type)) throw new ServiceError('invalid', [queryMessages.unknownType(type)]);
      return { source: sources.main, type, key: foldKey(type, key) };
    });
    return turns.of(call.caller, call.signal).read(async () => {
      // An index outside of this process is no faster than the objects service.
      if (index.nearest === undefined || !(await isCurrent(minSerial))) return notAnswered;
      const { objects, later } = await index.load(ids);
      if (later.length > 0) return notAnswered;
      return { answered: true, objects: objects.map((one) => briefObject(found(one)!, true)) };
    });
  };
}
