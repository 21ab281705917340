import type {
  ChangeFeedServiceService,
  ExportObjectsResponse,
  ObjectReaderServiceService,
  WatchResponse,
} from '@cadastre/proto/objects';
import { View } from '@cadastre/proto/registry';
import { type RpcClient, ServiceError, unlessSilent } from '@cadastre/service';
import type { FeedPosition } from '../index-port.js';

/** The objects service, the source of the index. */
export interface ObjectsBackend {
  readonly reader: Pick<RpcClient<typeof ObjectReaderServiceService>, 'exportObjects' | 'listSources'>;
  readonly feed: RpcClient<typeof ChangeFeedServiceService>;
}

/**
 * Streams the newest states of objects that change after a position, until the signal is aborted. Errors: ServiceError
 * 'out-of-range' when the feed does not continue there.
 */
export function watchChanges(
  backend: ObjectsBackend,
  source: string,
  after: FeedPosition,
  signal: AbortSignal,
): AsyncIterable<WatchResponse> {
  const request = {
    source,
    afterSerial: after.serial,
    afterInstant: after.instant,
    keysOnly: false,
    fromNow: false,
    latestOnly: true,
  };
  return unlessSilent((alive) => backend.feed.watch(request, { signal: alive }), signal);
}

/** The registry's time of the newest change that a message of the feed covers. */
export function instantOf({ changes, serial }: WatchResponse): Date | undefined {
  const last = changes.at(-1);
  return last?.serial === serial ? last.instant : undefined;
}

/** A page of an export; without a position from a release of objects that cannot continue exports. */
export type ExportPage = Pick<ExportObjectsResponse, 'objects' | 'position'>;

/** Streams every object of a source after the page with this position, or from the first one. */
export async function* exportAfter(
  backend: ObjectsBackend,
  source: string,
  after: string | undefined,
  signal: AbortSignal,
): AsyncGenerator<ExportPage> {
  const request = { source, types: [], view: View.VIEW_COMPLETE, after };
  for await (const page of unlessSilent((alive) => backend.reader.exportObjects(request, { signal: alive }), signal)) {
    if (after !== undefined && page.objects.length > 0 && page.position === undefined) {
      throw new ServiceError('unavailable', 'This release of objects cannot continue an export');
    }
    yield page;
  }
}

/** The position of the newest change of a source. */
export async function newestChange(
  backend: ObjectsBackend,
  source: string,
  signal: AbortSignal,
): Promise<FeedPosition> {
  const { sources } = await backend.reader.listSources({}, { signal });
  return sources.find((one) => one.name === source) ?? { serial: 0n };
}

/** The serial of the newest change of a source. */
export async function newestSerial(backend: ObjectsBackend, source: string, signal: AbortSignal): Promise<bigint> {
  return (await newestChange(backend, source, signal)).serial;
}

/** Timeout of the question for all sources. */
const newestMs = 1_000;

/** The serial of the newest change of each source; undefined while the objects service is unavailable. */
export async function newestSerials(backend: ObjectsBackend): Promise<ReadonlyMap<string, bigint> | undefined> {
  const newest = await backend.reader.listSources({}, { deadlineMs: newestMs }).catch(() => undefined);
  return newest && new Map(newest.sources.map(({ name, serial }) => [name, serial]));
}
