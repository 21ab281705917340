import type { FeedPosition } from '@cadastre/changes';
import type {
  ChangeFeedServiceService,
  ExportObjectsResponse,
  ObjectReaderServiceService,
} from '@cadastre/proto/objects';
import { View } from '@cadastre/proto/registry';
import { type RpcClient, ServiceError, unlessSilent } from '@cadastre/service';

/** The objects service, the source of the index. */
export interface ObjectsBackend {
  readonly reader: Pick<RpcClient<typeof ObjectReaderServiceService>, 'exportObjects' | 'listSources'>;
  readonly feed: RpcClient<typeof ChangeFeedServiceService>;
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
