import type { ChangeFeedServiceService, ObjectReaderServiceService, WatchResponse } from '@cadastre/proto/objects';
import { type RegistryObject, View } from '@cadastre/proto/registry';
import { type RpcClient, unlessSilent } from '@cadastre/service';

/** The objects service, the source of the index. */
export interface ObjectsBackend {
  readonly reader: Pick<RpcClient<typeof ObjectReaderServiceService>, 'exportObjects' | 'listSources'>;
  readonly feed: RpcClient<typeof ChangeFeedServiceService>;
}

/** Streams the newest states of objects that change after a serial, until the signal is aborted. */
export function watchChanges(
  backend: ObjectsBackend,
  source: string,
  afterSerial: bigint,
  signal: AbortSignal,
): AsyncIterable<WatchResponse> {
  const request = { source, afterSerial, keysOnly: false, fromNow: false, latestOnly: true };
  return unlessSilent((alive) => backend.feed.watch(request, { signal: alive }), signal);
}

/** Streams every object of a source. The first page has the serial from which to follow the feed. */
export function exportAll(
  backend: ObjectsBackend,
  source: string,
  signal: AbortSignal,
): AsyncIterable<{ serial: bigint; objects: RegistryObject[] }> {
  const request = { source, types: [], view: View.VIEW_COMPLETE };
  return unlessSilent((alive) => backend.reader.exportObjects(request, { signal: alive }), signal);
}

/** The serial of the newest change of a source. */
export async function newestSerial(backend: ObjectsBackend, source: string, signal: AbortSignal): Promise<bigint> {
  const { sources } = await backend.reader.listSources({}, { signal });
  return sources.find((one) => one.name === source)?.serial ?? 0n;
}
