import type {
  ChangeFeedServiceService,
  ExportObjectsResponse,
  ObjectReaderServiceService,
  WatchResponse,
} from '@cadastre/proto/objects';
import { View } from '@cadastre/proto/registry';
import { type RpcClient, unlessSilent } from '@cadastre/service';

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
  after: { readonly serial: bigint; readonly instant?: Date | undefined },
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

/** The registry's time of the change up to which a message of the feed brings everything. */
export function instantOf({ changes, serial }: WatchResponse): Date | undefined {
  const last = changes.at(-1);
  return last?.serial === serial ? last.instant : undefined;
}

/** Streams every object of a source. The first page has the position from which to follow the feed. */
export function exportAll(
  backend: ObjectsBackend,
  source: string,
  signal: AbortSignal,
): AsyncIterable<ExportObjectsResponse> {
  const request = { source, types: [], view: View.VIEW_COMPLETE };
  return unlessSilent((alive) => backend.reader.exportObjects(request, { signal: alive }), signal);
}

/** The serial of the newest change of a source. */
export async function newestSerial(backend: ObjectsBackend, source: string, signal: AbortSignal): Promise<bigint> {
  const { sources } = await backend.reader.listSources({}, { signal });
  return sources.find((one) => one.name === source)?.serial ?? 0n;
}
