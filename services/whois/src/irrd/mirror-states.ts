import type { Mirror, MirrorServiceService, Publication } from '@cadastre/proto/mirror';
import type { Logger, RpcClient } from '@cadastre/service';

/** What the mirror service knows of sources, by their names in upper case. */
export interface MirrorStates {
  /** Copies of other registries. */
  readonly mirrors: ReadonlyMap<string, Mirror>;
  readonly publications: ReadonlyMap<string, Publication>;
}

/** The client of the mirror service. */
export type MirrorClient = Pick<RpcClient<typeof MirrorServiceService>, 'listMirrors' | 'listPublications'>;

/** Maximum staleness. */
const cachedMs = 5_000;
/** Timeout: the state of a source is useful without this. */
const deadlineMs = 1_000;

const nothing: MirrorStates = { mirrors: new Map(), publications: new Map() };

/**
 * Makes a function that calls the mirror service at most once in five seconds, for all readers. Without an answer or a
 * mirror service, it knows nothing.
 */
export function createMirrorStates(
  client: MirrorClient | undefined,
  logger: Logger,
  now: () => number = Date.now,
): () => Promise<MirrorStates> {
  if (client === undefined) return async () => nothing;
  let cached: { readonly until: number; readonly answer: Promise<MirrorStates> } | undefined;
  const read = async (): Promise<MirrorStates> => {
    try {
      const [{ mirrors }, { publications }] = await Promise.all([
        client.listMirrors({}, { deadlineMs }),
        client.listPublications({}, { deadlineMs }),
      ]);
      return { mirrors: bySource(mirrors), publications: bySource(publications) };
    } catch (error) {
      logger.warn({ err: error }, 'the mirror service is unavailable: !J has no sessions');
      return nothing;
    }
  };
  return () => {
    if (cached === undefined || cached.until <= now()) cached = { until: now() + cachedMs, answer: read() };
    return cached.answer;
  };
}

function bySource<T extends { readonly source: string }>(all: readonly T[]): ReadonlyMap<string, T> {
  return new Map(all.map((one) => [one.source.toUpperCase(), one]));
}
