import {
  BulkLoadServiceService,
  ChangeFeedServiceService,
  MirrorWriteServiceService,
  ObjectReaderServiceService,
} from '@cadastre/proto/objects';
import { type ConnectOptions, connect, type RpcClient } from '@cadastre/service';

/** What this service calls of the objects service. */
export interface Objects {
  readonly reader: Pick<
    RpcClient<typeof ObjectReaderServiceService>,
    'listSources' | 'batchLookupPast' | 'exportObjects'
  >;
  readonly feed: Pick<RpcClient<typeof ChangeFeedServiceService>, 'watch'>;
  /** Whole loads of copies. */
  readonly loader: Pick<RpcClient<typeof BulkLoadServiceService>, 'load'>;
  /** Changes of copies. */
  readonly mirrorWriter: Pick<RpcClient<typeof MirrorWriteServiceService>, 'applyMirrorChanges'>;
  close(): void;
}

const deadlineMs = 10_000;

/** Clients that connect on the first call. */
export function connectObjects(around: Pick<ConnectOptions, 'address' | 'tls' | 'metrics'>): Objects {
  const options = { ...around, name: 'mirror' };
  const endless = { ...options, deadlineMs: Number.POSITIVE_INFINITY };
  const unary = connect(ObjectReaderServiceService, {
    ...options,
    deadlineMs,
    idempotent: ['listSources', 'batchLookupPast'],
  });
  const streams = connect(ObjectReaderServiceService, endless);
  const feed = connect(ChangeFeedServiceService, endless);
  const loader = connect(BulkLoadServiceService, endless);
  const mirrorWriter = connect(MirrorWriteServiceService, endless);
  return {
    reader: {
      listSources: unary.listSources,
      batchLookupPast: unary.batchLookupPast,
      exportObjects: streams.exportObjects,
    },
    feed,
    loader,
    mirrorWriter,
    close() {
      for (const client of [unary, streams, feed, loader, mirrorWriter]) client.close();
    },
  };
}
