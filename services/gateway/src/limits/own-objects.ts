import type { ObjectReaderServiceService } from '@cadastre/proto/objects';
import type { Principal } from '@cadastre/proto/registry';
import { asciiUpperCase, type RpslObject, valuesOf } from '@cadastre/rpsl';
import type { RpcClient } from '@cadastre/service';
import { LRUCache } from 'lru-cache';

/** Returns whether the caller maintains an object of a source: the caller's own objects count against no limit. */
type IsOwn = (source: string, object: RpslObject) => boolean;

/** Finds the objects that a caller maintains. */
export type FindOwn = (principal: Principal | undefined) => Promise<IsOwn>;

const maxAccounts = 1000;
const rememberedMs = 60_000;

/** Fetches once a minute which mntners refer to an account. If that fails, the account owns nothing. */
export function createOwnership(
  reader: Pick<RpcClient<typeof ObjectReaderServiceService>, 'listOwnMaintainers'>,
  deadlineMs: number,
): FindOwn {
  const known = new LRUCache<string, Promise<ReadonlySet<string>>>({ max: maxAccounts, ttl: rememberedMs });
  const ask = async (principal: Principal) => {
    const { maintainers } = await reader.listOwnMaintainers({ principal }, { deadlineMs });
    return new Set(maintainers.map(({ source, key }) => nameOf(source, key)));
  };
  const maintainersOf = (principal: Principal) => {
    const id = `${principal.accountId} ${principal.apiKeyId}`;
    const answer = known.get(id) ?? ask(principal);
    known.set(id, answer);
    return answer.catch(() => {
      known.delete(id);
      return new Set<string>();
    });
  };
  return async (principal) => {
    if (principal === undefined || principal.accountId === '') return ownsNothing;
    const own = await maintainersOf(principal);
    return (source, object) => valuesOf(object, 'mnt-by').some((key) => own.has(nameOf(source, key)));
  };
}

const ownsNothing: IsOwn = () => false;

function nameOf(source: string, key: string): string {
  return asciiUpperCase(`${source} ${key}`);
}
