import type { Mirror, MirrorServiceService } from '@cadastre/proto/mirror';
import { cachedFor, type Logger, type RpcClient } from '@cadastre/service';

/** The copies that the mirror service updates, by the names of their sources. */
export type MirrorCache = () => Promise<ReadonlyMap<string, Mirror>>;

/** Maximum staleness. */
const cachedMs = 5_000;
/** Timeout: the list of sources is complete without this. */
const deadlineMs = 1_000;

/**
 * Calls the mirror service at most once in five seconds, for all readers. Without an answer or a mirror service, the
 * result is empty.
 */
export function createMirrorCache(
  mirrors: Pick<RpcClient<typeof MirrorServiceService>, 'listMirrors'> | undefined,
  { logger, now }: { readonly logger: Logger; readonly now: () => number },
): MirrorCache {
  if (mirrors === undefined) return async () => new Map();
  const read = async () => {
    try {
      const answer = await mirrors.listMirrors({}, { deadlineMs });
      return new Map(answer.mirrors.map((mirror) => [mirror.source.toUpperCase(), mirror]));
    } catch (error) {
      logger.warn({ err: error }, 'the mirror service is unavailable: the list of sources has no states');
      return new Map<string, Mirror>();
    }
  };
  return cachedFor(cachedMs, read, now);
}
