import {
  BulkLoadServiceService,
  ChangeFeedServiceService,
  MirrorWriteServiceService,
  ObjectReaderServiceService,
} from '@cadastre/proto/objects';
import { openPeer, type PeerOptions, type RpcClient } from '@cadastre/service';

/** The methods of the objects service that this service calls. */
export interface Objects {
  readonly reader: Pick<
    RpcClient<typeof ObjectReaderServiceService>,
    'listSources' | 'batchLookupPast' | 'exportObjects'
  >;
  readonly feed: Pick<RpcClient<typeof ChangeFeedServiceService>, 'watch'>;
  /** For whole loads of copies. */
  readonly loader: Pick<RpcClient<typeof BulkLoadServiceService>, 'load'>;
  /** For changes of copies. */
  readonly mirrorWriter: Pick<RpcClient<typeof MirrorWriteServiceService>, 'applyMirrorChanges'>;
  close(): void;
}

const deadlineMs = 10_000;

/** Clients that connect on the first call. */
export function connectObjects(o: Pick<PeerOptions, 'address' | 'tls' | 'metrics'>): Objects {
  const peer = openPeer(o);
  const endless = { deadlineMs: Number.POSITIVE_INFINITY };
  const { listSources, batchLookupPast } = peer.client(ObjectReaderServiceService, { deadlineMs });
  const { exportObjects } = peer.client(ObjectReaderServiceService, endless);
  return {
    reader: { listSources, batchLookupPast, exportObjects },
    feed: peer.client(ChangeFeedServiceService, endless),
    loader: peer.client(BulkLoadServiceService, endless),
    mirrorWriter: peer.client(MirrorWriteServiceService, endless),
    close: peer.close,
  };
}
