import type {
  ChangeFeedServiceService,
  ExportObjectsResponse,
  ObjectReaderServiceService,
  WatchResponse,
} from '@cadastre/proto/objects';
import { Operation, type RegistryObject, View } from '@cadastre/proto/registry';
import { type Logger, type RpcClient, unlessSilent } from '@cadastre/service';
import { indexDocument, objectId } from '../document.js';
import type { IndexDocument, ObjectId } from '../index-port.js';

/** The objects service, the source of the index. */
export interface ObjectsBackend {
  readonly reader: Pick<RpcClient<typeof ObjectReaderServiceService>, 'exportObjects' | 'listSources'>;
  readonly feed: RpcClient<typeof ChangeFeedServiceService>;
}

/** A page of an export. */
export type ExportPage = Pick<ExportObjectsResponse, 'objects' | 'position'>;

/** Streams every object of a source after the page with this position, or from the first one. */
export function exportAfter(
  backend: ObjectsBackend,
  source: string,
  after: string | undefined,
  signal: AbortSignal,
): AsyncIterable<ExportPage> {
  const request = { source, types: [], view: View.VIEW_COMPLETE, after };
  return unlessSilent((alive) => backend.reader.exportObjects(request, { signal: alive }), signal);
}

/** Timeout of the question for all sources. */
const newestMs = 1_000;

/** The serial of the newest change of each source; undefined while the objects service is unavailable. */
export async function newestSerials(backend: ObjectsBackend): Promise<ReadonlyMap<string, bigint> | undefined> {
  const newest = await backend.reader.listSources({}, { deadlineMs: newestMs }).catch(() => undefined);
  return newest && new Map(newest.sources.map(({ name, serial }) => [name, serial]));
}

/** The changes of a feed message, for the index. */
export interface Changes {
  readonly documents: readonly IndexDocument[];
  readonly deletions: readonly ObjectId[];
}

/** Selects the last change of each object. Does not index unreadable objects. */
export function changesOf(response: WatchResponse, logger: Logger): Changes {
  const newest = new Map<string, IndexDocument | ObjectId>();
  for (const { object, operation } of response.changes) {
    const id = object && objectId(object);
    if (id === undefined) continue;
    const document = operation === Operation.OPERATION_DELETE ? undefined : readable(object!, logger);
    newest.set(`${id.type} ${id.key}`, document ?? id);
  }
  const states = [...newest.values()];
  return {
    documents: states.filter((state) => 'terms' in state),
    deletions: states.filter((state) => !('terms' in state)),
  };
}

/** The documents of a page of an export. */
export function documentsOf(objects: readonly RegistryObject[], logger: Logger): IndexDocument[] {
  return objects.flatMap((object) => readable(object, logger) ?? []);
}

function readable(object: RegistryObject, logger: Logger): IndexDocument | undefined {
  const document = indexDocument(object);
  if (document === undefined) {
    logger.warn({ source: object.source, type: object.type, key: object.key }, 'cannot index object');
  }
  return document;
}
