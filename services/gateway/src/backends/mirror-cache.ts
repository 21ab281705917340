import type { Mirror, MirrorServiceService } from '@cadastre/proto/mirror';
import type { Logger, RpcClient } from '@cadastre/service';

/** The copies that the mirror service keeps current, by the names of their sources. */
export type MirrorCache = () => Promise<ReadonlyMap<string, Mirror>>;

/** Readers may see a state that is so old. */
const cachedMs = 5_000;
/** The list of sources does not wait longer: it can do without. */
const deadlineMs = 1_000;

/**
 * Asks the mirror service at most once in five seconds, whoever asks. When it does not answer, or there is none, nothing
 * is known of copies.
 */
export function createMirrorCache(
  mirrors: Pick<RpcClient<typeof MirrorServiceService>, 'listMirrors'> | undefined,
  { logger, now }: { readonly logger: Logger; readonly now: () => number },
): MirrorCache {
  if (mirrors === undefined) return async () => new Map();
  let cached: { readonly until: number; readonly answer: Promise<ReadonlyMap<string, Mirror>> } | undefined;
  const ask = async () => {
    try {
      const answer = await mirrors.listMirrors({}, { deadlineMs });
      return new Map(answer.mirrors.map((mirror) => [mirror.source.toUpperCase(), mirror]));
    } catch (error) {
      logger.warn({ err: error }, 'the mirror service does not answer: sources are listed without their states');
      return new Map<string, Mirror>();
    }
  };
  return () => {
    if (cached === undefined || cached.until <= now()) cached = { until: now() + cachedMs, answer: ask() };
    return cached.answer;
  };
}
