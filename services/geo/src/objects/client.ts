import { HierarchyServiceService, ObjectReaderServiceService } from '@cadastre/proto/objects';
import { openPeer, type PeerOptions, type RpcClient } from '@cadastre/service';

/** The methods of the objects service that this service calls. */
export type ObjectsClient = Pick<RpcClient<typeof HierarchyServiceService>, 'batchFindEnclosing'> &
  Pick<RpcClient<typeof ObjectReaderServiceService>, 'batchLookup' | 'listSources'>;

const deadlineMs = 10_000;

/** A client that connects on the first call. */
export function connectObjects(o: Pick<PeerOptions, 'address' | 'tls' | 'metrics'>): ObjectsClient & { close(): void } {
  const peer = openPeer({ ...o, name: 'geo' });
  const { batchFindEnclosing } = peer.client(HierarchyServiceService, { deadlineMs });
  const { batchLookup, listSources } = peer.client(ObjectReaderServiceService, { deadlineMs });
  return { batchFindEnclosing, batchLookup, listSources, close: peer.close };
}
