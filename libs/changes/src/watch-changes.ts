import type {
  ChangeFeedServiceService,
  ObjectReaderServiceService,
  WatchRequest,
  WatchResponse,
} from '@cadastre/proto/objects';
import { type RpcClient, ServiceError, unlessSilent } from '@cadastre/service';

/** A position in the changes of a source. */
export interface FeedPosition {
  readonly serial: bigint;
  /** The registry's time of that change, if it is known: a restored registry uses the serial for another one. */
  readonly instant?: Date | undefined;
}

/** Whether the registry does not continue from a position: it was restored, or has removed the changes or the state. */
export function isLostPlace(error: unknown): error is ServiceError {
  return error instanceof ServiceError && error.kind === 'out-of-range';
}

/** The position of the newest change of a source; serial 0 for an unknown one. */
export async function newestChange(
  reader: Pick<RpcClient<typeof ObjectReaderServiceService>, 'listSources'>,
  source: string,
  signal: AbortSignal,
): Promise<FeedPosition> {
  const { sources } = await reader.listSources({}, { signal });
  return sources.find(({ name }) => name === source) ?? { serial: 0n };
}

/** With fewer pending changes than this, an index follows them, however small it is. */
const manyChanges = 20_000n;

/**
 * Whether more changes wait after `applied` than an index has objects, as after a bulk load: an export fills it several
 * times faster than changes.
 */
export async function isFarBehind(
  newest: FeedPosition,
  applied: bigint,
  objects: () => Promise<bigint> | bigint,
): Promise<boolean> {
  const pending = newest.serial - applied;
  return pending >= manyChanges && pending > (await objects());
}

/** An index checks whether it is far behind each time that it has read this many changes; the check is cheap. */
export const changesBetweenChecks = 100n;

/** Which changes to watch, and what to send of them; default: every change, complete. */
export interface WatchOptions
  extends Partial<Pick<WatchRequest, 'keysOnly' | 'latestOnly' | 'maySkip' | 'publicCopies'>> {
  readonly source: string;
  /** The last change that the reader has. */
  readonly from: FeedPosition | 'now';
  readonly signal: AbortSignal;
  /** A feed that is silent for longer counts as broken; it sends a heartbeat every ten seconds. */
  readonly silenceMs?: number | undefined;
}

/** A message of the feed: some changes, or none as a heartbeat. */
export interface WatchedChanges extends WatchResponse {
  /** The reader's position after the message. */
  readonly position: FeedPosition;
}

/**
 * Streams the changes of a source until the signal is aborted. Throws a ServiceError when the feed does not continue
 * there (`isLostPlace`), and when it breaks, ends or falls silent.
 */
export async function* watchChanges(
  feed: Pick<RpcClient<typeof ChangeFeedServiceService>, 'watch'>,
  { source, from, signal, silenceMs, ...wanted }: WatchOptions,
): AsyncGenerator<WatchedChanges> {
  let position = from === 'now' ? undefined : from;
  const request = {
    ...{ source, keysOnly: false, latestOnly: false, ...wanted },
    afterSerial: position?.serial ?? 0n,
    afterInstant: position?.instant,
    fromNow: position === undefined,
  };
  for await (const message of unlessSilent((alive) => feed.watch(request, { signal: alive }), signal, silenceMs)) {
    const { changes, serial } = message;
    const last = changes.at(-1);
    if (position === undefined || serial > position.serial) {
      position = { serial, instant: last?.serial === serial ? last.instant : undefined };
    }
    yield { ...message, position };
  }
  if (!signal.aborted) throw new ServiceError('unavailable', 'The change feed ended');
}
