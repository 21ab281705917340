import { HierarchyServiceService, ObjectReaderServiceService } from '@cadastre/proto/objects';
import { type ConnectOptions, connect, type RpcClient } from '@cadastre/service';

/** The methods of the objects service that this service calls. */
export type ObjectsClient = Pick<RpcClient<typeof HierarchyServiceService>, 'batchFindEnclosing'> &
  Pick<RpcClient<typeof ObjectReaderServiceService>, 'batchLookup' | 'listSources'>;

const deadlineMs = 5000;

/** A client that connects on the first call. */
export function connectObjects(
  o: Pick<ConnectOptions, 'address' | 'tls' | 'metrics'>,
): ObjectsClient & { close(): void } {
  const options = { ...o, name: 'geo', deadlineMs };
  const hierarchy = connect(HierarchyServiceService, { ...options, idempotent: ['batchFindEnclosing'] });
  const reader = connect(ObjectReaderServiceService, { ...options, idempotent: ['batchLookup', 'listSources'] });
  return {
    batchFindEnclosing: hierarchy.batchFindEnclosing,
    batchLookup: reader.batchLookup,
    listSources: reader.listSources,
    close() {
      hierarchy.close();
      reader.close();
    },
  };
}
